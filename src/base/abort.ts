import type { Clock } from './Clock.ts'
import { oncePerObject } from './oncePerObject.ts'

/** The part of an `AbortSignal` that the steps of a call use. */
export interface CallSignal extends Pick<AbortSignal, 'aborted' | 'reason'> {
  readonly addEventListener: (type: 'abort', listener: Listener) => void
  readonly removeEventListener: (type: 'abort', listener: Listener) => void
}

type Listener = (event: { readonly target: unknown }) => void

const none: readonly Listener[] = []

/** Signal and controller of one call in one object. Node's `AbortController` takes 1.2 kB, and thousands may wait. */
export class CallController implements CallSignal {
  aborted = false
  reason: unknown
  private listeners = none

  addEventListener(_: 'abort', listener: Listener): void {
    // Not a spread: V8 reserves memory for sixteen more listeners in an array that a spread has made.
    this.listeners = this.listeners.concat(listener)
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    this.listeners = this.listeners.filter((other) => other !== listener)
  }

  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of this.listeners) listener({ target: this })
  }
}

/** Settles as `work` does, or rejects once `signal` aborts, even if `work` goes on. Returns a plain result as it is. */
export function untilAborted<Value>(signal: CallSignal, work: () => Promise<Value>): Promise<Value>
export function untilAborted<Value>(signal: CallSignal, work: () => Value | Promise<Value>): Value | Promise<Value>
export function untilAborted<Value>(signal: CallSignal, work: () => Value | Promise<Value>): Value | Promise<Value> {
  if (signal.aborted) return Promise.reject(signal.reason)
  const result = work()
  if (!(result instanceof Promise)) return result
  return new Promise<Value>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    result.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject)
    if (signal.aborted) abort() // `work` itself has aborted the signal
  })
}

interface Aborter {
  readonly abort: (reason: unknown) => void
}

const followersOf = /* @__PURE__ */ oncePerObject<CallSignal, Set<Aborter>>(() => new Set())

/** Aborts `controller` with `signal` until the returned function is called. All use one listener: Node warns of 11. */
export function followSignal(signal: CallSignal, controller: Aborter): () => void {
  if (signal.aborted) controller.abort(signal.reason)
  const followers = followersOf(signal)
  if (followers.size === 0) signal.addEventListener('abort', abortFollowers)
  followers.add(controller)
  return () => {
    followers.delete(controller)
    if (followers.size === 0) signal.removeEventListener('abort', abortFollowers)
  }
}

function abortFollowers({ target }: { readonly target: unknown }): void {
  // The target is a signal: nothing else has this listener. `this` would need no cast, but Cloudflare Workers set it
  // only with a compatibility date from 2025-08-01 on.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const signal = target as AbortSignal
  for (const controller of followersOf(signal)) controller.abort(signal.reason)
}

/** Whether an error means that a call was canceled. `instanceof` would miss the `AbortError` of an iframe. */
export function isAbortError(error: unknown): boolean {
  const { name }: { readonly name?: unknown } = Object(error)
  return name === 'AbortError'
}

/** Resolves after at least `ms`. Rejects with the signal's reason when it aborts. */
export async function sleep(ms: number, clock: Clock, signal: CallSignal): Promise<void> {
  const end = clock.monotonic() + ms
  for (let left = ms; left > 0; left = end - clock.monotonic()) {
    let cancel = () => {}
    const wake = () =>
      new Promise<void>((resolve) => {
        cancel = clock.wakeAfter(left, resolve)
      })
    await untilAborted(signal, wake).finally(() => cancel())
  }
}

/** Settles as `work` does. If that takes longer than `ms`, settles as `onTimeout` does, and `work` has no effect. */
export function withTimeout<Result>(
  work: Result | Promise<Result>,
  ms: number,
  clock: Clock,
  onTimeout: () => Result | Promise<Result>,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const cancelTimer = clock.wakeAfter(ms, () => resolve(onTimeout()))
    void Promise.resolve(work).then(resolve, reject).finally(cancelTimer)
  })
}

/** Whether a framework, such as Next.js, threw this to end a render. Rethrow it as it is, for it reads the `digest`. */
export function isFrameworkError(error: unknown): boolean {
  const { digest }: { readonly digest?: unknown } = Object(error)
  return typeof digest === 'string'
}
