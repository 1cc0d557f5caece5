import type { PetstoreService } from '../src/testing.ts'

/** A service's clock that stands still at the start of a window, so that a slow test meets the limit before its end. */
export interface StandingClock {
  /** Epoch ms. */
  readonly now: () => number
  /** Lets the clock run in real time from now on. */
  readonly run: () => void
  /** Sets the clock forward, in ms. */
  readonly advance: (ms: number) => void
  /** The service, with a `fetch` that runs the clock after the first response that `isAwaited` accepts. */
  readonly runAfter: (isAwaited: (response: Response) => boolean, service: PetstoreService) => PetstoreService
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
    runAfter: (isAwaited, service) => ({
      ...service,
      fetch: async (input, init) => {
        const response = await service.fetch(input, init)
        if (isAwaited(response)) run()
        return response
      },
    }),
  }
}
