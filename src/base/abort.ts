import type { Clock } from './Clock.ts'

/** The part of an `AbortSignal` that the steps of a call use. */
export interface CallSignal extends Pick<AbortSignal, 'aborted' | 'reason'> {
  readonly addEventListener: (type: 'abort', listener: Listener) => void
  readonly removeEventListener: (type: 'abort', listener: Listener) => void
}

type Listener = (event: { readonly target: unknown }) => void

const none: readonly Listener[] = []

/** The signal of one call, and what aborts it. An `AbortController` of Node takes 1.2 kB, and thousands of calls may wait. */
export class CallController implements CallSignal {
  aborted = false
  reason: unknown
  private listeners = none

  addEventListener(_: 'abort', listener: Listener): void {
    // A spread would leave room for sixteen more.
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

/**
 * Runs `work`, and aborts `controller` when `signal` aborts or `work` calls `abort`. Rejects with the reason at once, even
 * while `work` awaits something that cannot be canceled.
 */
export function withAbort<Result>(
  controller: { readonly abort: (reason: unknown) => void },
  signal: CallSignal | undefined,
  work: (abort: (reason?: unknown) => void) => Promise<Result>,
): Promise<Result> {
  let stopWatching = nothing
  const result = new Promise<Result>((resolve, reject) => {
    const abort = (reason: unknown = AbortSignal.abort().reason) => {
      controller.abort(reason)
      reject(reason)
    }
    if (signal?.aborted) throw signal.reason
    if (signal) stopWatching = whenAborted(signal, abort)
    work(abort).then(resolve, reject)
  })
  return signal ? result.finally(() => stopWatching()) : result
}

const nothing = () => {}

type Watcher = (reason: unknown) => void

const watchers = new WeakMap<object, Set<Watcher>>()

/** Shares one listener per signal: Node warns of a leak from eleven listeners on. */
function whenAborted(signal: CallSignal, watcher: Watcher): () => void {
  const all = watchers.get(signal) ?? new Set()
  if (all.size === 0) {
    watchers.set(signal, all)
    signal.addEventListener('abort', notifyWatchers)
  }
  all.add(watcher)
  return () => {
    all.delete(watcher)
    if (all.size === 0) signal.removeEventListener('abort', notifyWatchers)
  }
}

function notifyWatchers({ target }: { readonly target: unknown }): void {
  // Only signals have this listener. `this` would need no cast, but Cloudflare Workers set it only since the compatibility
  // date 2025-08-01.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const signal = target as AbortSignal
  for (const watcher of watchers.get(signal) ?? []) watcher(signal.reason)
}

/** Whether a call was cancelled: an `AbortError` of any realm, as `AbortController.abort()` makes it. */
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
    await withAbort(new CallController(), signal, wake).finally(() => cancel())
  }
}

/** Settles as `work` does, or after `ms` with what `onTimeout` returns. How `work` ends later has no effect. */
export function withTimeout<Result>(
  work: Result | Promise<Result>,
  ms: number,
  clock: Clock,
  onTimeout: () => Result,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const cancelTimer = clock.wakeAfter(ms, () => resolve(onTimeout()))
    void Promise.resolve(work).then(resolve, reject).finally(cancelTimer)
  })
}

/**
 * Whether a framework has ended the work that asked, such as Next where a prerender is complete or becomes dynamic. It finds
 * its errors by their `digest`, so they must reach it unchanged.
 */
export function isFrameworkError(error: unknown): boolean {
  const { digest }: { readonly digest?: unknown } = Object(error)
  return typeof digest === 'string'
}
