/** Counts the calls of a simulated app, and its requests on the network. */
export interface CallTracker {
  /** Counts a call and how it ends. The promise it returns never rejects for an error of the call. */
  readonly trackCall: (call: Promise<unknown>) => Promise<void>
  /** Counts a request as in flight until it settles. */
  readonly trackRequest: (request: Promise<Response>) => Promise<Response>
  readonly counts: () => CallCounts
}

export interface CallCounts {
  readonly started: number
  readonly succeeded: number
  /** Calls that rejected, other than by an abort. */
  readonly failed: number
  /** Calls that a closed or reloaded page aborted. */
  readonly canceled: number
  readonly pending: number
  /** Pending calls that have no request in flight. */
  readonly waiting: number
  readonly lastSettledAt: number
  /** How long the longest call took that was not canceled, in ms. */
  readonly longest: number
}

export function createCallTracker(now: () => number): CallTracker {
  let started = 0
  let succeeded = 0
  let failed = 0
  let canceled = 0
  let inFlight = 0
  let lastSettledAt = 0
  let longest = 0

  function counts(): CallCounts {
    const pending = started - succeeded - failed - canceled
    const waiting = Math.max(0, pending - inFlight)
    return { started, succeeded, failed, canceled, pending, waiting, lastSettledAt, longest }
  }

  return {
    trackCall: async (call) => {
      const startedAt = now()
      started += 1
      let isCanceled = false
      try {
        await call
        succeeded += 1
      } catch (error) {
        if (!(error instanceof Error)) throw error
        isCanceled = error.name === 'AbortError'
        if (isCanceled) canceled += 1
        else failed += 1
      }
      lastSettledAt = now()
      if (!isCanceled) longest = Math.max(longest, lastSettledAt - startedAt)
    },
    trackRequest: async (request) => {
      inFlight += 1
      try {
        return await request
      } finally {
        inFlight -= 1
      }
    },
    counts,
  }
}
