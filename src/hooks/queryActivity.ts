import type { PetstoreClient } from '../client/createPetstoreClient.ts'

/** What hooks that share a cache entry share beside it. */
export interface QueryActivity {
  /** Until when the rate limit holds the entry's request back, in epoch ms. */
  readonly retryAt: (entry: string) => number | undefined
  readonly setRetryAt: (entry: string, retryAt: number | undefined) => void
  /** Calls `listener` whenever a `retryAt` changes. */
  readonly subscribe: (listener: () => void) => () => void
  /** Entries that a person has asked to refresh, until their request begins. */
  readonly wanted: Set<string>
  /** When the entry's last request began, in epoch ms. */
  readonly begunAt: Map<string, number>
}

const activities = new WeakMap<PetstoreClient, QueryActivity>()

export function queryActivityOf(client: PetstoreClient): QueryActivity {
  const known = activities.get(client)
  if (known) return known
  const activity = createQueryActivity()
  activities.set(client, activity)
  return activity
}

function createQueryActivity(): QueryActivity {
  const waits = new Map<string, number>()
  const listeners = new Set<() => void>()
  return {
    retryAt: (entry) => waits.get(entry),
    setRetryAt: (entry, retryAt) => {
      if (waits.get(entry) === retryAt) return
      if (retryAt === undefined) waits.delete(entry)
      else waits.set(entry, retryAt)
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    wanted: new Set(),
    begunAt: new Map(),
  }
}
