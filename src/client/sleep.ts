import type { Clock } from '../rate-limit/Clock.ts'
import { withAbort } from './withAbort.ts'

/** Resolves after at least `ms`. Rejects with the signal's reason when it aborts. */
export async function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  let left = ms
  while (left > 0) {
    const begin = clock.now()
    let cancel = () => {}
    const wake = () =>
      new Promise<void>((resolve) => {
        cancel = clock.wakeAfter(left, resolve)
      })
    await withAbort([signal], wake).finally(() => cancel())
    const passed = clock.now() - begin
    // A clock that was set back cannot say how long it took, so the timer alone decides.
    left = passed < 0 ? 0 : left - passed
  }
}
