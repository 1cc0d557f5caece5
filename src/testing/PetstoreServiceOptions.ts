import type { CategorySeed } from './categorySeeds.ts'
import type { CorsRules } from './cors.ts'
import type { PlanName, QuotaWindow } from './plans.ts'
import type { Int64 } from './readInt64.ts'
import type { RetryAfterFormat } from './retryAfter.ts'
import type { ServiceOperation } from './ServiceOperation.ts'

/** How the service simulates the ban of a key. What a real ban looks like, the interface document does not say. */
export interface BanOptions {
  /** Requests that a cool-down bears; the next one bans the key. Default 3. */
  readonly after?: number
  /**
   * Requests arriving within so many milliseconds of a cool-down's first 429 are not held against the key: they may
   * have been under way. Default 1,000.
   */
  readonly grace?: number
  /** How long the ban lasts, in milliseconds. Default 300,000 (five minutes). */
  readonly duration?: number
  /** Status of every response during the ban, with an Error body and Retry-After. Default 403. */
  readonly status?: number
}

/** Everything about the service that a test may choose. */
export interface PetstoreServiceOptions {
  /** The API keys that are accepted, each with a quota of its own. Default `['demo']`. */
  readonly keys?: readonly string[]
  /** A plan by name, or windows of your own, which hold together. Default `free`: 60 a minute and 1,000 a day. */
  readonly plan?: PlanName | readonly QuotaWindow[]
  /** The first categories, or how many to make up. Default: a handful. */
  readonly categories?: number | readonly CategorySeed[]
  /** Id of the first category that is created; taken ids are skipped. Default 1. */
  readonly firstId?: Int64
  /** How Retry-After is written: the interface document does not show it. Default `seconds`. */
  readonly retryAfter?: RetryAfterFormat
  /** How a key that keeps knocking during a cool-down is banned; `false`: never. Default `{}`. A simulation. */
  readonly ban?: false | BanOptions
  /** What pages of other origins may do. `false`: no CORS headers, no preflights. Default `{}`: everything. */
  readonly cors?: false | CorsRules
  /** How long a response takes in milliseconds, half of it before the work and half after. Default 0. */
  readonly latency?: number | (() => number)
  /** The service's clock in epoch milliseconds. Default `Date.now`. */
  readonly now?: () => number
  /** How latency is waited for, in milliseconds. For tests in virtual time. Default `setTimeout`. */
  readonly sleep?: (milliseconds: number) => Promise<void>
  /** Operations to respond besides the documented ones. */
  readonly operations?: readonly ServiceOperation[]
}
