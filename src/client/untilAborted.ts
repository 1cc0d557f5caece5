/**
 * Runs `work` with a signal that is aborted with the first of `signals`, and settles no later than that: with the
 * signal's reason, even while `work` awaits something that cannot be cancelled.
 */
export async function untilAborted<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const { promise: aborted, reject } = rejectable()
  const watched = signals.filter((signal) => signal !== undefined)
  const watchers = watched.map((signal) => ({
    signal,
    abort: () => {
      controller.abort(signal.reason)
      reject(signal.reason)
    },
  }))
  try {
    for (const signal of watched) signal.throwIfAborted()
    for (const { signal, abort } of watchers) signal.addEventListener('abort', abort, { once: true })
    return await Promise.race([work(controller.signal), aborted])
  } finally {
    for (const { signal, abort } of watchers) signal.removeEventListener('abort', abort)
  }
}

function rejectable(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse
  })
  return { promise, reject }
}
