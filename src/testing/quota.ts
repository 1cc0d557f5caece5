/** The state of one window: the values of the three `X-RateLimit-*` headers. */
export interface QuotaView {
  readonly limit: number
  /** Requests left, never negative. */
  readonly remaining: number
  /** When the window ends, in epoch milliseconds. */
  readonly resetAt: number
}

/** The state of each window of a plan, in the plan's order. Empty before the first request. */
export type Quota = readonly QuotaView[]

export const untouchedQuota: Quota = []

/** Refills the windows that have ended. The document does not say when windows start: these count from the epoch. */
function refillEnded(plan: readonly QuotaWindow[], quota: Quota, now: number): Quota {
  return plan.map(({ limit, per }, index) => {
    const resetAt = (Math.floor(now / per) + 1) * per
    const known = quota[index]
    return known?.resetAt === resetAt ? known : { limit, remaining: limit, resetAt }
  })
}

/**
 * Charges one request to every window. Returns `undefined` and charges nothing if one of them is used up.
 *
 * @param now epoch milliseconds
 */
export function chargeQuota(plan: readonly QuotaWindow[], quota: Quota, now: number): Quota | undefined {
  const windows = refillEnded(plan, quota, now)
  if (windows.some((window) => window.remaining === 0)) return undefined
  return windows.map((window) => ({ ...window, remaining: window.remaining - 1 }))
}

/**
 * The window to announce: the one with the fewest requests left, and among equals the one that resets last. A client
 * that waits for the announced reset has therefore waited long enough for every window.
 *
 * @param now epoch milliseconds
 */
export function viewQuota(plan: readonly QuotaWindow[], quota: Quota, now: number): QuotaView {
  return refillEnded(plan, quota, now).reduce((tightest, window) => {
    if (window.remaining !== tightest.remaining) return window.remaining < tightest.remaining ? window : tightest
    return window.resetAt > tightest.resetAt ? window : tightest
  })
}

/** A fixed quota window: at most `limit` requests in each period of `per` milliseconds, counted from the epoch. */
export interface QuotaWindow {
  /** Requests admitted in one window, at least 1. */
  readonly limit: number
  /** Length of the window in whole milliseconds. */
  readonly per: number
}

/** A plan whose limits the interface document states. Enterprise limits are individual: use windows for them. */
export type PlanName = 'free' | 'pro' | 'business'

/** "Rate limits by plan" of the interface document. All windows of a plan apply. */
export const plans: Readonly<Record<PlanName, readonly QuotaWindow[]>> = {
  free: windowsOf(60, 1000),
  pro: windowsOf(300, 10_000),
  business: windowsOf(1000, 100_000),
}

function windowsOf(perMinute: number, perDay: number): readonly QuotaWindow[] {
  return [
    { limit: perMinute, per: 60_000 },
    { limit: perDay, per: 86_400_000 },
  ]
}
