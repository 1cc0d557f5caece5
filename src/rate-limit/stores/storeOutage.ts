import type { Clock } from '../Clock.ts'

/** In ms; doubled with each failure in a row. */
const firstPause = 1_000
const maxPause = 60_000

/** Knows when a store that has failed may be used again. */
export interface StoreOutage {
  /** Whether the store failed when it was last used. */
  readonly isActive: boolean
  /** Whether it failed so recently that it is not used yet. */
  readonly isPaused: boolean
  /** When the pause ends (epoch ms). */
  readonly retryAt: number
  /** Call it before the store is used, and then one of the returned functions. */
  readonly beginUse: () => StoreUse
}

export interface StoreUse {
  readonly succeed: () => void
  readonly fail: () => void
}

export function createStoreOutage(clock: Clock): StoreOutage {
  let pause: { readonly from: number; readonly until: number; readonly length: number } | undefined

  return {
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
          pause = undefined
        },
        fail: () => {
          if (pause !== before) return // uses that fail together are one failure
          const from = clock.now()
          const length = before ? Math.min(before.length * 2, maxPause) : firstPause
          pause = { from, until: from + length, length }
        },
      }
    },
  }
}
