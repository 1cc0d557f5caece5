/** Waits for `work`, but rejects with the signal's reason as soon as it aborts. If both settle, the abort wins. */
export async function abortable<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
  })
  try {
    const result = await Promise.race([work, aborted])
    signal.throwIfAborted()
    return result
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
