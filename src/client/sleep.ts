import type { Clock } from '../rate-limit/Clock.ts'
import { withAbort } from './withAbort.ts'

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
