import type { QuotaWindow } from './plans.ts'

/** What is left of one window: the content of the three `X-RateLimit-*` headers. */
export interface QuotaView {
  readonly limit: number
  /** Requests left, never negative. */
  readonly remaining: number
  /** When the window ends, in epoch milliseconds. */
  readonly resetAt: number
}

/** What is left of each of a plan's windows, in the plan's order. Empty: nothing was used yet. */
export type Quota = readonly QuotaView[]

export const untouchedQuota: Quota = []

/** Windows that have ended are full again. That windows are fixed and start at the epoch is our choice. */
function roll(plan: readonly QuotaWindow[], quota: Quota, now: number): Quota {
  return plan.map(({ limit, per }, index) => {
    const resetAt = (Math.floor(now / per) + 1) * per
    const known = quota[index]
    return known?.resetAt === resetAt ? known : { limit, remaining: limit, resetAt }
  })
}

/**
 * Takes one request from every window, or gives `undefined` and takes nothing when one of them is used up.
 *
 * @param now epoch milliseconds
 */
export function chargeQuota(plan: readonly QuotaWindow[], quota: Quota, now: number): Quota | undefined {
  const windows = roll(plan, quota, now)
  if (windows.some((window) => window.remaining === 0)) return undefined
  return windows.map((window) => ({ ...window, remaining: window.remaining - 1 }))
}

/**
 * The window to announce: the one with the fewest requests left, and of equals the one that resets last. So when
 * windows are used up, waiting for the announced reset is enough.
 *
 * @param now epoch milliseconds
 */
export function viewQuota(plan: readonly QuotaWindow[], quota: Quota, now: number): QuotaView {
  return roll(plan, quota, now).reduce((binding, window) => {
    if (window.remaining !== binding.remaining) return window.remaining < binding.remaining ? window : binding
    return window.resetAt > binding.resetAt ? window : binding
  })
}
