import { type Mock, vi } from 'vitest'
import { operations } from '../../../src/client.ts'
import type { AdmittedAttempt, Call, KeyedCall, ValidCall } from '../../../src/client/Call.ts'

/*
 * Runs one step alone. A step takes a call and `next`, so a test needs two things:
 *
 *     const next = stubNext<KeyedCall>()
 *     await dedupe(() => 'demo')(createValidCall(), next)
 *     expect(receivedBy(next)).toMatchObject([{ key: 'demo' }])
 *
 * The builders are named after the types in `src/client/Call.ts`. Each adds the fields that the steps
 * up to there have added, so together they show how a call grows.
 */

type Next<Received extends Call> = (call: Received) => Promise<unknown>

/** The steps that follow, stubbed. */
export const stubNext = <Received extends Call>(
  perform: Next<Received> = async () => 'the result',
): Mock<Next<Received>> => vi.fn<Next<Received>>(perform)

/** The calls that the step has passed on, in order. */
export const receivedBy = <Received extends Call>(next: Mock<Next<Received>>): Received[] =>
  next.mock.calls.map(([call]) => call)

/** A call that enters `validateInput`. */
export function createCall(fields: Partial<Call> = {}): Call {
  return {
    id: 'call',
    operation: operations.listCategories,
    input: undefined,
    signal: new AbortController().signal,
    priority: () => 'user',
    onPriorityChange: () => () => {},
    onWait: () => {},
    startedAt: 0,
    deadline: Number.POSITIVE_INFINITY,
    attempts: 0,
    scope: '',
    order: 0,
    ...fields,
  }
}

/** A call that enters `dedupe`. */
export function createValidCall(fields: Partial<ValidCall> = {}): ValidCall {
  const { method = 'GET' } = fields.operation ?? {}
  const request = { url: 'https://petstore.test/v1/categories', method, body: undefined }
  return { ...createCall(), request, ...fields }
}

/** A call that enters `retry`, `authorize` and, with its key, `rateLimit`. */
export function createKeyedCall(fields: Partial<KeyedCall> = {}): KeyedCall {
  return { ...createValidCall(fields), key: 'demo', previousError: undefined, ...fields }
}

/** A call that enters `transport`. */
export function createAdmittedAttempt(fields: Partial<AdmittedAttempt> = {}): AdmittedAttempt {
  return {
    ...createKeyedCall(fields),
    sentAt: 0,
    waited: 0,
    report: async () => {},
    retryAt: () => undefined,
    ...fields,
  }
}

/** A promise that the test settles. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

export function createDeferred<Value>(): Deferred<Value> {
  let resolve: Deferred<Value>['resolve'] = () => {}
  let reject: Deferred<Value>['reject'] = () => {}
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

/** Lets every promise settle that waits for no deferred and no timer. */
export const settleAll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
