import type { Call } from './Call.ts'

/** Does its part of a call before and after `await next(call)`. The result is whatever the last step makes of it. */
export type Step<In extends Call, Out extends Call> = (
  call: In,
  next: (call: Out) => Promise<unknown>,
) => Promise<unknown>

/** Steps in the order in which things happen. The types keep the order: each step takes what the one before it adds. */
interface Steps<In extends Call, Out extends Call> {
  readonly to: <Next extends Call>(step: Step<Out, Next>) => Steps<In, Next>
  /** Makes one function of all steps: each gets the rest as its `next`. */
  readonly end: (last: (call: Out) => Promise<unknown>) => (call: In) => Promise<unknown>
}

export function chainSteps<In extends Call, Out extends Call>(first: Step<In, Out>): Steps<In, Out> {
  return stepsOf((last) => (call) => first(call, last))
}

/** Joins the steps once, so that a call makes no functions for it. */
function stepsOf<In extends Call, Out extends Call>(end: Steps<In, Out>['end']): Steps<In, Out> {
  return {
    to: (step) => stepsOf((last) => end((call) => step(call, last))),
    end,
  }
}
