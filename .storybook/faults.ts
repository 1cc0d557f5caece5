import type { Fault, PetstoreService, PetstoreServiceOptions } from '../src/testing.ts'

/** More failures than anyone triggers while looking at one story. */
const plenty = 1_000

/** Makes every request fail, so that a story stays in its state whatever is clicked. */
export const alwaysFail =
  (fault: Fault) =>
  (service: PetstoreService): void =>
    service.failNext(fault, plenty)

/** A failure with the body that the service sends. */
export const refusal = (status: number, code: string, message: string) =>
  ({ status, body: JSON.stringify({ code, message, status }) }) satisfies Fault

/** Leaves every request pending: the service sleeps for its latency, and this sleep never ends. */
export const neverRespond = { latency: 1, sleep: () => new Promise<never>(() => {}) } satisfies PetstoreServiceOptions

export const wholeDay = { dailyLimit: 60 } // no window of the request limit ends while someone looks
