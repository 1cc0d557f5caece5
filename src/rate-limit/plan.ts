import { isDevelopment, configError } from '../contract/configError.ts'

/** How many requests may leave in which time, where the service's headers cannot be read. */
export interface CustomRate {
  /** Whole requests. */
  readonly limit: number
  /** Length of the window in ms, at most a day. */
  readonly per: number
}

/** A plan of the service, or a rate that was agreed individually (Enterprise). */
export type Plan = 'free' | 'pro' | 'business' | CustomRate

export const minute = 60_000
/** The longest window of the plans: no wait that a header announces is longer. */
export const day = 86_400_000

// Interface document, "Rate limits by plan". Requests per day are counted by the service alone.
const perMinute = { free: 60, pro: 300, business: 1_000 }

/** @throws TypeError if the plan is invalid */
export function paceOf(plan: Plan = 'free'): CustomRate {
  if (typeof plan === 'string' && Object.hasOwn(perMinute, plan)) return { limit: perMinute[plan], per: minute }
  if (typeof plan === 'object') {
    const { limit, per } = plan
    if (Number.isInteger(limit) && limit > 0 && per > 0 && per <= day) return { limit, per }
  }
  throw configError(
    'plan',
    isDevelopment && 'is "free", "pro", "business", or { limit, per }: whole requests in ms, a day at most.',
  )
}

/** How long a window of that limit lasts, in ms: the longest possible time if several plans share the number. */
export function windowLength(limit: number | undefined, pace: CustomRate): number {
  if (limit === pace.limit) return pace.per
  return limit === perMinute.free || limit === perMinute.pro ? minute : day
}
