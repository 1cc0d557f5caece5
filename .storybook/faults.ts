import type { Fault, PetstoreService, PetstoreServiceOptions } from '../src/testing.ts'

/** More failures than anyone triggers while looking at one story. */
const plenty = 1_000

/** Makes every request fail, so that a story stays in its state whatever is clicked. */
export const alwaysFail =
  (fault: Fault) =>
  (service: PetstoreService): void =>
    service.failNext(fault, plenty)

/** Leaves every request pending. */
export const neverRespond = { latency: 1, sleep: () => new Promise<never>(() => {}) } satisfies PetstoreServiceOptions

/**
 * The service's response when the day's 1,000 requests are used up, six hours before the reset.
 *
 * @param now - epoch ms
 */
export function dailyLimitReached(now: number): Fault {
  const secondsToReset = 6 * 3_600
  return {
    status: 429,
    headers: {
      'Retry-After': String(secondsToReset),
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(Math.floor(now / 1_000) + secondsToReset),
    },
  }
}
