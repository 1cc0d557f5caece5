import type { Clock } from '../rate-limit/Clock.ts'

/** Resolves after `ms` at the least; rejects with the signal's reason when that is aborted. */
export function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const until = clock.now() + ms
    let cancel = () => {}
    const abort = () => {
      cancel()
      reject(signal.reason)
    }
    const look = () => {
      const left = until - clock.now()
      if (left > 0) {
        cancel = clock.wakeAfter(left, look)
        return
      }
      signal.removeEventListener('abort', abort)
      resolve()
    }
    signal.addEventListener('abort', abort, { once: true })
    look()
  })
}
