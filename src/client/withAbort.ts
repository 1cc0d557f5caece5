/**
 * Runs `work` with a signal that aborts when the first of `signals` does. Rejects with that signal's reason at once,
 * even while `work` awaits something that cannot be canceled.
 */
export function withAbort<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const stopWatching: (() => void)[] = []
  return new Promise<Result>((resolve, reject) => {
    const abort = (reason: unknown) => {
      controller.abort(reason)
      reject(reason)
    }
    for (const signal of signals) {
      signal?.throwIfAborted()
      if (signal) stopWatching.push(whenAborted(signal, abort))
    }
    work(controller.signal).then(resolve, reject)
  }).finally(() => {
    for (const stop of stopWatching) stop()
  })
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

function notifyWatchers(this: AbortSignal): void {
  for (const watcher of [...(watchers.get(this) ?? [])]) watcher(this.reason)
}
