import type { Clock } from '../base/Clock.ts'
import type { GateResponse } from './gate.ts'

/** Reports once how a request ended: with its response, or with nothing if it failed without one. */
export type Release = (response?: Pick<GateResponse, 'rateLimitHeaders' | 'status'>) => Promise<void>

/** What the gate has to know of a request when it ends. */
export type SentRequest = Pick<GateResponse, 'batch' | 'address' | 'isRetry' | 'sentAt' | 'lostUnitsBefore'>

/** The requests of this page that have left and that the gate counts as in flight. */
export interface SentRequests {
  readonly track: (request: SentRequest) => Release
  /** Reports all of them as lost. A response that still arrives counts. */
  readonly giveUp: () => void
  readonly count: number
  /** The batches that they belong to. */
  readonly batches: Iterable<string>
}

/** @param report - tells the gate how a request ended */
export function createSentRequests(
  report: (response: Omit<GateResponse, 'jitter'>) => Promise<void>,
  clock: Clock,
): SentRequests {
  /** Functions that give requests up, with the batch of each. */
  const unreported = new Map<() => void, string>()
  return {
    track: (request) => {
      const trackedAt = clock.monotonic()
      // If the clock was set back since, so were the times of the record.
      const sentAt = () => Math.min(request.sentAt, Math.floor(clock.now() - clock.monotonic() + trackedAt))
      const end: Release = async (response) => {
        // Without a response, only the first report counts.
        if (!unreported.delete(giveUp) && !response?.status) return
        await report({ status: 0, ...response, ...request, sentAt: sentAt() })
      }
      const giveUp = () => void end({ status: undefined })
      unreported.set(giveUp, request.batch)
      return end
    },
    giveUp: () => {
      for (const giveUp of unreported.keys()) giveUp()
    },
    get count() {
      return unreported.size
    },
    get batches() {
      return unreported.values()
    },
  }
}
