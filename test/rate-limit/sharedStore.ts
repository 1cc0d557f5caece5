import type { Clock } from '../../src/base/Clock.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'

/** How a store handles one update. Delays in ms. Other tabs may hear two updates in the wrong order. */
export interface UpdateBehavior {
  /** From the request (or the last change before it) until the change is made. */
  readonly changeDelay: number
  /** From the change until the update resolves. */
  readonly resolveDelay: number
  /** From the end of the update until other tabs are notified; its own tab is notified at once. */
  readonly notifyDelay: number
  /** Whether the change is computed twice, and its first result discarded, as by a store that repeats a transaction. */
  readonly isRepeated?: boolean | undefined
}

export interface SharedStore {
  /** The store as one tab sees it. `isAlive` and `isBroken` are checked at each step. */
  readonly forTab: (tab: { readonly isAlive: () => boolean; readonly isBroken: () => boolean }) => RateLimitStore
  /** Every stored record, in order. */
  readonly written: readonly unknown[]
  /** The longest duration of an update, in ms. */
  readonly slowestUpdate: number
}

/**
 * Simulates one record that several tabs share, as in a browser. Changes are made one after the other; a tab whose
 * update has not resolved yet does not hold up the others.
 *
 * @param behaviors - used in turn by the updates
 */
export function createSharedStore(clock: Clock, behaviors: readonly UpdateBehavior[]): SharedStore {
  const written: unknown[] = []
  const listeners = new Set<{ tab: { isAlive: () => boolean }; notify: (record: unknown) => void }>()
  let stored: unknown
  let updateCount = 0
  let busyUntil = 0
  let slowestUpdate = 0

  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))

  function notifyTabs(sender: object, notifyDelay: number): void {
    const record = stored
    for (const listener of listeners) {
      if (!listener.tab.isAlive()) listeners.delete(listener)
      else if (listener.tab === sender || notifyDelay === 0) listener.notify(record)
      else clock.wakeAfter(notifyDelay, () => listeners.has(listener) && listener.notify(record))
    }
  }

  return {
    written,
    get slowestUpdate() {
      return slowestUpdate
    },
    forTab: (tab) => ({
      update: async (_, change) => {
        const behavior = behaviors[updateCount++ % Math.max(1, behaviors.length)]
        const { changeDelay, resolveDelay, notifyDelay, isRepeated } = behavior ?? {
          changeDelay: 0,
          resolveDelay: 0,
          notifyDelay: 0,
        }
        const requestedAt = clock.now()
        const changedAt = Math.max(requestedAt, busyUntil) + changeDelay
        busyUntil = changedAt
        slowestUpdate = Math.max(slowestUpdate, changedAt + resolveDelay - requestedAt)
        if (changedAt > requestedAt) await sleep(changedAt - requestedAt)
        if (!tab.isAlive()) return new Promise(() => {}) // the page is gone, and its transaction with it
        if (tab.isBroken()) throw new Error('The store is broken.')
        if (isRepeated) change(stored)
        const changed = change(stored)
        const isChanged = changed !== stored
        stored = changed
        if (isChanged) written.push(changed)
        if (resolveDelay > 0) await sleep(resolveDelay)
        if (isChanged) notifyTabs(tab, notifyDelay)
      },
      subscribe: (_, notify) => {
        const listener = { tab, notify }
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }),
  }
}
