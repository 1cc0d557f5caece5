/**
 * Runs `work` with a signal that is aborted with the first of `signals`, and settles no later than that: with the
 * signal's reason, even while `work` awaits something that cannot be cancelled.
 */
export function withAbort<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const leave: (() => void)[] = []
  return new Promise<Result>((resolve, reject) => {
    const abort = (reason: unknown) => {
      controller.abort(reason)
      reject(reason)
    }
    for (const signal of signals) {
      signal?.throwIfAborted()
      if (signal) leave.push(whenAborted(signal, abort))
    }
    work(controller.signal).then(resolve, reject)
  }).finally(() => {
    for (const stop of leave) stop()
  })
}

type Watcher = (reason: unknown) => void

const watchers = new WeakMap<AbortSignal, Set<Watcher>>()

/** One listener for all who watch a signal: Node takes more than ten on one signal for a leak, and says so. */
function whenAborted(signal: AbortSignal, watcher: Watcher): () => void {
  const all = watchers.get(signal) ?? new Set()
  if (all.size === 0) {
    watchers.set(signal, all)
    signal.addEventListener('abort', tellWatchers, { once: true })
  }
  all.add(watcher)
  return () => {
    all.delete(watcher)
    if (all.size === 0) signal.removeEventListener('abort', tellWatchers)
  }
}

function tellWatchers(this: AbortSignal): void {
  for (const watcher of [...(watchers.get(this) ?? [])]) watcher(this.reason)
}
