import type { Clock } from './Clock.ts'

/**
 * Runs `work` with a signal that aborts when `signal` does, or when `work` calls `abort`. Rejects with the reason at once,
 * even while `work` awaits something that cannot be canceled.
 */
export function withAbort<Result>(
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal, abort: (reason?: unknown) => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  let stopWatching = () => {}
  const result = new Promise<Result>((resolve, reject) => {
    const abort = (reason?: unknown) => {
      controller.abort(reason)
      reject(controller.signal.reason)
    }
    signal?.throwIfAborted()
    if (signal) stopWatching = whenAborted(signal, abort)
    work(controller.signal, abort).then(resolve, reject)
  })
  return signal ? result.finally(() => stopWatching()) : result
}

type Watcher = (reason: unknown) => void

const watchers = new WeakMap<AbortSignal, Set<Watcher>>()

/** Shares one listener per signal: Node warns of a leak from eleven listeners on. */
function whenAborted(signal: AbortSignal, watcher: Watcher): () => void {
  const all = watchers.get(signal) ?? new Set()
  if (all.size === 0) {
    watchers.set(signal, all)
    signal.addEventListener('abort', notifyWatchers, { once: true })
  }
  all.add(watcher)
  return () => {
    all.delete(watcher)
    if (all.size === 0) signal.removeEventListener('abort', notifyWatchers)
  }
}

function notifyWatchers({ target }: Event): void {
  // Only signals have this listener. `this` would need no cast, but Cloudflare Workers set it only since the compatibility
  // date 2025-08-01.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const signal = target as AbortSignal
  for (const watcher of [...(watchers.get(signal) ?? [])]) watcher(signal.reason)
}

/** Whether a call was cancelled: an `AbortError` of any realm, as `AbortController.abort()` makes it. */
export function isAbortError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError'
}

/** Resolves after at least `ms`. Rejects with the signal's reason when it aborts. */
export async function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const end = clock.monotonic() + ms
  for (let left = ms; left > 0; left = end - clock.monotonic()) {
    let cancel = () => {}
    const wake = () =>
      new Promise<void>((resolve) => {
        cancel = clock.wakeAfter(left, resolve)
      })
    await withAbort(signal, wake).finally(() => cancel())
  }
}

/** Settles as `work` does, or after `ms` with what `onTimeout` returns. How `work` ends later has no effect. */
export async function withTimeout<Result>(
  work: Result | Promise<Result>,
  ms: number,
  clock: Clock,
  onTimeout: () => Result,
): Promise<Result> {
  let cancelTimer = () => {}
  const timedOut = new Promise<Result>((resolve) => {
    cancelTimer = clock.wakeAfter(ms, () => resolve(onTimeout()))
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    cancelTimer()
  }
}

/**
 * Whether a framework has ended the work that asked, such as Next where a prerender is complete or becomes dynamic. It finds
 * its errors by their `digest`, so they must reach it unchanged.
 */
export function isFrameworkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'digest' in error && typeof error.digest === 'string'
}
