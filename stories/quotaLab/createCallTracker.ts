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
  readonly pending: number
  /** Pending calls that have no request in flight. */
  readonly waiting: number
  readonly lastSettledAt: number
}

export function createCallTracker(now: () => number): CallTracker {
  let started = 0
  let succeeded = 0
  let failed = 0
  let pending = 0
  let inFlight = 0
  let lastSettledAt = 0
  return {
    trackCall: async (call) => {
      started += 1
      pending += 1
      try {
        await call
        succeeded += 1
      } catch (error) {
        if (!(error instanceof Error)) throw error
        if (error.name !== 'AbortError') failed += 1
      }
      pending -= 1
      lastSettledAt = now()
    },
    trackRequest: async (request) => {
      inFlight += 1
      try {
        return await request
      } finally {
        inFlight -= 1
      }
    },
    counts: () => ({ started, succeeded, failed, pending, waiting: Math.max(0, pending - inFlight), lastSettledAt }),
  }
}
