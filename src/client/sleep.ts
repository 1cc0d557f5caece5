import type { Clock } from '../rate-limit/Clock.ts'
import { withAbort } from './withAbort.ts'

/** Resolves after `ms` at the least; rejects with the signal's reason when that is aborted. */
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
    // A clock that was set back does not tell how long it took; that the timer has rung has to do.
    left = passed < 0 ? 0 : left - passed
  }
}
