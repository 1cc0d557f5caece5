/** A fixed quota window: at most `limit` requests in each period of `per` milliseconds, counted from the epoch. */
export interface QuotaWindow {
  /** Requests admitted in one window, at least 1. */
  readonly limit: number
  /** Length of the window in whole milliseconds. */
  readonly per: number
}

/** A plan whose limits the interface document states. Enterprise limits are individual: use windows for them. */
export type PlanName = 'free' | 'pro' | 'business'

const minute = 60_000
const day = 86_400_000

/** "Rate limits by plan" of the interface document. All windows of a plan apply. */
export const plans: Readonly<Record<PlanName, readonly QuotaWindow[]>> = {
  free: [
    { limit: 60, per: minute },
    { limit: 1000, per: day },
  ],
  pro: [
    { limit: 300, per: minute },
    { limit: 10_000, per: day },
  ],
  business: [
    { limit: 1000, per: minute },
    { limit: 100_000, per: day },
  ],
}
