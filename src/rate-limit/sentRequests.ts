import type { GateResponse } from './gate.ts'

/** Reports once how a request ended: with its response, or with nothing if the response was lost. */
export type Release = (response?: Pick<GateResponse, 'rateLimitHeaders' | 'status'>) => Promise<void>

/** The requests of this page that have left and that the gate counts as in flight. */
export interface SentRequests {
  readonly track: (id: string, sentAt: number) => Release
  /** Reports all of them as lost. A response that still arrives counts. */
  readonly giveUp: () => void
  readonly isEmpty: boolean
}

/** @param report - tells the gate how a request ended */
export function createSentRequests(report: (response: Omit<GateResponse, 'jitter'>) => Promise<void>): SentRequests {
  const unreported = new Set<Release>()
  return {
    track: (id, sentAt) => {
      const release: Release = (response) => {
        const isFirst = unreported.delete(release)
        if (!isFirst && !response) return Promise.resolve()
        return report({ id, sentAt, rateLimitHeaders: response?.rateLimitHeaders, status: response?.status })
      }
      unreported.add(release)
      return release
    },
    giveUp: () => {
      for (const release of [...unreported]) void release()
    },
    get isEmpty() {
      return unreported.size === 0
    },
  }
}
