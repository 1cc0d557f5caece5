import type { Cache } from 'swr'

/** What hooks that show the same entry of a cache share beside it. */
export interface QueryActivity {
  /** Until when the rate limit holds the entry's request back, in epoch ms. */
  readonly retryAt: (entry: string) => number | undefined
  /** Calls `listener` whenever a `retryAt` changes. */
  readonly subscribe: (listener: () => void) => () => void
  /** Entries that a person has asked for, until their request begins. */
  readonly userRequested: Set<string>
  /** When the entry's last request began, in epoch ms. */
  readonly startedAt: (entry: string) => number | undefined
  /** A request begins, in place of an earlier one. */
  readonly begin: (entry: string) => RequestUnderWay
  /** No request for the entry has begun yet. */
  readonly forget: (entry: string) => void
}

interface RequestUnderWay {
  /** The request waits until then at the least (epoch ms); `undefined`: it waits no more. */
  readonly onWait: (until: number | undefined) => void
  readonly end: () => void
}

const activities = new WeakMap<Cache, QueryActivity>()

export function queryActivityOf(cache: Cache): QueryActivity {
  const known = activities.get(cache)
  if (known) return known
  const activity = createQueryActivity()
  activities.set(cache, activity)
  return activity
}

function createQueryActivity(): QueryActivity {
  const latest = new Map<string, { readonly startedAt: number }>()
  const waits = new Map<string, number>()
  const listeners = new Set<() => void>()

  function setRetryAt(entry: string, retryAt: number | undefined): void {
    if (waits.get(entry) === retryAt) return
    if (retryAt === undefined) waits.delete(entry)
    else waits.set(entry, retryAt)
    for (const listener of [...listeners]) listener()
  }

  return {
    retryAt: (entry) => waits.get(entry),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    userRequested: new Set(),
    startedAt: (entry) => latest.get(entry)?.startedAt,
    begin: (entry) => {
      const mine = { startedAt: Date.now() }
      latest.set(entry, mine)
      // What becomes of an earlier request is of no interest any more: nobody waits for it.
      const onWait = (until: number | undefined) => {
        if (latest.get(entry) === mine) setRetryAt(entry, until)
      }
      return { onWait, end: () => onWait(undefined) }
    },
    forget: (entry) => void latest.delete(entry),
  }
}
