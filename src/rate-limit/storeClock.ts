import type { Clock } from '../base/Clock.ts'
import type { StoreClock } from './fleet/FleetStore.ts'
import type { RateLimitStore } from './RateLimitStore.ts'

/** The clock of a store that offers one, else that of this machine. */
export function createStoreClock(store: RateLimitStore, clock: Clock): StoreClock {
  if (!store.now) return { ...clock, toLocal: (time) => time }
  const now = () => {
    try {
      const time = store.now?.()
      if (time !== undefined && Number.isFinite(time)) return time
    } catch {
      // The function is the app's.
    }
    return clock.now()
  }
  return { ...clock, now, toLocal: (time) => time - now() + clock.now() }
}
