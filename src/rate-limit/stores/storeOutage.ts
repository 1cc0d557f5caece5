import type { Clock } from '../../base/Clock.ts'

/** In ms; doubled with each failure in a row. */
const firstPause = 1_000

/** Knows when a store that has failed may be used again. */
interface StoreOutage {
  /** Whether the store failed when it was last used. */
  readonly isActive: boolean
  /** Whether it failed so recently that it is not used yet. */
  readonly isPaused: boolean
  /** Ends the pause, if there is one, but only once in an outage. Returns whether it did. */
  readonly endPauseOnce: () => boolean
  /** When the pause ends (epoch ms). */
  readonly retryAt: number
  /** Call it before the store is used, and then one of the returned functions. */
  readonly beginUse: () => StoreUse
}

export interface StoreUse {
  readonly succeed: () => void
  readonly fail: () => void
}

/** What has become of a store. */
export type StoreStatus = 'failed' | 'recovered'

/**
 * @param maxPause - in ms
 * @param onStatus - called when the store fails, and when it works again
 */
export function createStoreOutage(
  clock: Clock,
  maxPause: number,
  onStatus?: (status: StoreStatus) => void,
): StoreOutage {
  let pause: { readonly from: number; readonly until: number } | undefined
  /** The length of the last pause; 0 after a success in time. */
  let length = 0
  /** Whether the pause was ended early since the last success. */
  let hasEndedEarly = false

  return {
    endPauseOnce: () => {
      const canEnd = pause !== undefined && !hasEndedEarly
      if (canEnd) {
        hasEndedEarly = true
        pause = { from: 0, until: 0 }
      }
      return canEnd
    },
    get isActive() {
      return pause !== undefined
    },
    get isPaused() {
      const now = clock.now()
      // If the clock was set back, to before the pause, its end may be far away.
      return pause !== undefined && now >= pause.from && now < pause.until
    },
    get retryAt() {
      return pause?.until ?? clock.now()
    },
    beginUse: () => {
      const before = pause
      return {
        succeed: () => {
          length = 0
          if (!pause) return
          hasEndedEarly = false
          pause = undefined
          onStatus?.('recovered')
        },
        fail: () => {
          if (pause !== before) return // uses that fail together are one failure
          const from = clock.now()
          length = length > 0 ? Math.min(length * 2, maxPause) : firstPause
          pause = { from, until: from + length }
          if (!before) onStatus?.('failed')
        },
      }
    },
  }
}
