import type { Clock } from '../rate-limit/Clock.ts'
import { untilAborted } from './untilAborted.ts'

/** Resolves after `ms` at the least; rejects with the signal's reason when that is aborted. */
export async function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const until = clock.now() + ms
  let cancel = () => {}
  const wake = () =>
    new Promise<void>((resolve) => {
      cancel = clock.wakeAfter(until - clock.now(), resolve)
    })
  while (clock.now() < until) await untilAborted([signal], wake).finally(() => cancel())
}
