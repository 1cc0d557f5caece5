import type { Clock } from '../../base/Clock.ts'
import type { StoreClock } from './FleetStore.ts'

/** A smaller difference from the last one is no news, in ms: else one time would have many translations. */
const tolerance = 50

/** @param now - the clock of the store, in epoch ms */
export function createStoreClock(clock: Clock, now: () => number): StoreClock {
  let ahead = 0
  return {
    ...clock,
    now,
    toLocal: (time) => {
      const difference = now() - clock.now()
      if (Math.abs(difference - ahead) > tolerance) ahead = difference
      return time - ahead
    },
  }
}
