import type { Clock } from '../../src/rate-limit/Clock.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'

/** How a store behaves at one update. Times in ms. */
export interface StoreManner {
  /** Until the change is made. */
  readonly before: number
  /** Until it is told that the change was made. */
  readonly after: number
  /** Until other tabs hear of it. */
  readonly news: number
  /** The change is thrown away once and made anew. */
  readonly isRepeated?: boolean | undefined
}

export interface SharedStore {
  /** The store as one tab sees it. `isAlive` and `isBroken` are asked at each step. */
  readonly forTab: (tab: { readonly isAlive: () => boolean; readonly isBroken: () => boolean }) => RateLimitStore
  /** All that was stored, in order. */
  readonly written: readonly unknown[]
  /** The longest that an update took, in ms. */
  readonly slowest: number
}

/**
 * One record, shared by tabs as in a browser: one update after the other, each as slow as its manner. While a tab has
 * not yet heard that its change was made, others go on.
 */
export function createSharedStore(clock: Clock, manners: readonly StoreManner[]): SharedStore {
  const written: unknown[] = []
  const listeners = new Set<{ tab: { isAlive: () => boolean }; hear: (record: unknown) => void }>()
  let stored: unknown
  let updates = 0
  let busyUntil = 0
  let slowest = 0

  const after = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))

  function tell(tab: object, news: number): void {
    const record = stored
    for (const listener of listeners) {
      if (!listener.tab.isAlive()) listeners.delete(listener)
      else if (listener.tab === tab || news === 0) listener.hear(record)
      else clock.wakeAfter(news, () => listeners.has(listener) && listener.hear(record))
    }
  }

  return {
    written,
    get slowest() {
      return slowest
    },
    forTab: (tab) => ({
      update: async (_, change) => {
        const manner = manners[updates++ % Math.max(1, manners.length)] ?? { before: 0, after: 0, news: 0 }
        const asked = clock.now()
        const begun = Math.max(asked, busyUntil)
        const changedAt = begun + manner.before
        busyUntil = changedAt
        slowest = Math.max(slowest, changedAt + manner.after - asked)
        if (changedAt > asked) await after(changedAt - asked)
        if (!tab.isAlive()) return new Promise(() => {}) // went with its page
        if (tab.isBroken()) throw new Error('The store is gone.')
        if (manner.isRepeated) change(stored)
        const changed = change(stored)
        const isChanged = changed !== stored
        stored = changed
        if (isChanged) written.push(changed)
        if (manner.after > 0) await after(manner.after)
        if (isChanged) tell(tab, manner.news)
      },
      subscribe: (_, hear) => {
        const listener = { tab, hear }
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }),
  }
}
