import type { PetstoreService } from '../src/testing.ts'

/** A clock for the service. It stands still, so that a slow test meets the limit before the quota window ends. */
export interface StandingClock {
  /** Epoch ms. */
  readonly now: () => number
  /** Lets the clock run in real time from now on. */
  readonly run: () => void
  /** Sets the clock forward, in ms. */
  readonly advance: (ms: number) => void
  /** The service, with a `fetch` that calls `run` after the first response for which `startsClock` is true. */
  readonly runAfter: (startsClock: (response: Response) => boolean, service: PetstoreService) => PetstoreService
}

export const isRefusal = ({ status }: Response): boolean => status === 429
export const usesUpQuota = ({ headers }: Response): boolean => headers.get('X-RateLimit-Remaining') === '0'

export function createStandingClock(): StandingClock {
  let start = Date.UTC(2030, 0, 1)
  let runsSince: number | undefined
  const run = () => {
    runsSince ??= Date.now()
  }
  return {
    now: () => start + (runsSince === undefined ? 0 : Date.now() - runsSince),
    run,
    advance: (ms) => {
      start += ms
    },
    runAfter: (startsClock, service) => ({
      ...service,
      fetch: async (input, init) => {
        const response = await service.fetch(input, init)
        if (startsClock(response)) run()
        return response
      },
    }),
  }
}
