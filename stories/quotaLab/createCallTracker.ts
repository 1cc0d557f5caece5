/** Counts the calls of a simulated app. Times are ms since the simulation began. */
export interface CallTracker {
  /** Opens a page, whose calls are tracked. */
  readonly openPage: () => PageTracker
  readonly counts: () => CallCounts
}

/** The calls of one page. */
export interface PageTracker {
  /** Tracks a call and how it ends. The promise it returns never rejects for an error of the call. */
  readonly trackCall: (call: Promise<unknown>) => Promise<void>
  /** Nobody needs the calls of a page that is closed or reloaded: none of them counts. */
  readonly close: () => void
}

export interface CallCounts {
  /** Calls that somebody needs: those of pages that stay open. The same work for each client. */
  readonly work: number
  /** When those calls succeeded, in order. */
  readonly successes: readonly number[]
  /** Calls that rejected. */
  readonly failed: number
  readonly pending: number
  readonly lastSettledAt: number
  /** How long the longest call took, in ms. */
  readonly longest: number
}

interface TrackedCall {
  readonly page: PageTracker
  readonly startedAt: number
  settledAt: number | undefined
  hasSucceeded: boolean
}

export function createCallTracker(now: () => number): CallTracker {
  const calls: TrackedCall[] = []
  const closed = new Set<PageTracker>()

  function openPage(): PageTracker {
    const page: PageTracker = {
      trackCall: async (promise) => {
        const call: TrackedCall = { page, startedAt: now(), settledAt: undefined, hasSucceeded: false }
        calls.push(call)
        try {
          await promise
          call.hasSucceeded = true
        } catch (error) {
          if (!(error instanceof Error)) throw error
        }
        call.settledAt = now()
      },
      close: () => void closed.add(page),
    }
    return page
  }

  return {
    openPage,
    counts: () => {
      const needed = calls.filter(({ page }) => !closed.has(page))
      const settled = needed.flatMap(({ settledAt, startedAt, hasSucceeded }) =>
        settledAt === undefined ? [] : [{ settledAt, duration: settledAt - startedAt, hasSucceeded }],
      )
      const succeeded = settled.filter(({ hasSucceeded }) => hasSucceeded)
      return {
        work: needed.length,
        successes: succeeded.map(({ settledAt }) => settledAt).toSorted((one, other) => one - other),
        failed: settled.length - succeeded.length,
        pending: needed.length - settled.length,
        lastSettledAt: Math.max(0, ...settled.map(({ settledAt }) => settledAt)),
        longest: Math.max(0, ...settled.map(({ duration }) => duration)),
      }
    },
  }
}
