import type { AdmittedAttempt, Attempt, Call, KeyedCall, RespondedAttempt, ValidCall } from './Call.ts'

/** Does its part of a call before and after `await next(call)`. The result is whatever the last step makes of it. */
export type Step<In extends Call, Out extends Call> = (
  call: In,
  next: (call: Out) => Promise<unknown>,
) => Promise<unknown>

/** The steps of every call, in the order in which things happen. The types keep the order. */
export type Steps = readonly [
  validateInput: Step<Call, ValidCall>,
  dedupe: Step<ValidCall, KeyedCall>,
  reportSettled: Step<KeyedCall, KeyedCall>,
  retry: Step<KeyedCall, Attempt>,
  authorize: Step<Attempt, Attempt>,
  rateLimit: Step<Attempt, AdmittedAttempt>,
  transport: Step<AdmittedAttempt, RespondedAttempt>,
  parseResponse: (call: RespondedAttempt) => Promise<unknown>,
]

/** Makes one function of the steps: each gets the rest of the list as its `next`. */
export function chainSteps(steps: Steps): (call: Call) => Promise<unknown> {
  const [validateInput, dedupe, reportSettled, retry, authorize, rateLimit, transport, parseResponse] = steps
  const send = (call: AdmittedAttempt) => transport(call, parseResponse)
  const admit = (call: Attempt) => rateLimit(call, send)
  const attempt = (call: Attempt) => authorize(call, admit)
  const repeat = (call: KeyedCall) => retry(call, attempt)
  const perform = (call: KeyedCall) => reportSettled(call, repeat)
  const share = (call: ValidCall) => dedupe(call, perform)
  return (call) => validateInput(call, share)
}
