import type { CategorySeed } from './categorySeeds.ts'
import type { CorsRules } from './cors.ts'
import type { PlanName, QuotaWindow } from './plans.ts'
import type { Int64 } from './readInt64.ts'
import type { RetryAfterFormat } from './retryAfter.ts'
import type { ServiceOperation } from './ServiceOperation.ts'

/** How the service simulates the ban of a key. The interface document does not describe a real ban. */
export interface BanOptions {
  /** How many requests a cool-down tolerates; the next one bans the key. Default 3. */
  readonly after?: number
  /**
   * Requests that arrive within this many milliseconds after a cool-down's first 429 do not count towards a ban, because
   * they may have been in flight. Default 1,000.
   */
  readonly grace?: number
  /** How long the ban lasts, in milliseconds. Default 300,000 (five minutes). */
  readonly duration?: number
  /** Status of every response during the ban, with an Error body and Retry-After. Default 403. */
  readonly status?: number
}

/** The options of the in-memory service. */
export interface PetstoreServiceOptions {
  /** The accepted API keys. Each has its own quota. Default `['demo']`. */
  readonly keys?: readonly string[]
  /** A plan by name, or your own windows, which all apply. Default `free`: 60 a minute and 1,000 a day. */
  readonly plan?: PlanName | readonly QuotaWindow[]
  /** The initial categories, or how many to generate. Default: five. */
  readonly categories?: number | readonly CategorySeed[]
  /** Id of the first category that is created. Taken ids are skipped. Default 1. */
  readonly firstId?: Int64
  /** Format of Retry-After, which the interface document does not show. Default `seconds`. */
  readonly retryAfter?: RetryAfterFormat
  /** How a key that keeps sending during a cool-down is banned. `false`: never. Default `{}`. A simulation. */
  readonly ban?: false | BanOptions
  /** What pages of other origins may do. `false`: no CORS headers and no preflights. Default `{}`: everything. */
  readonly cors?: false | CorsRules
  /** How long a response takes in milliseconds: half of it passes before the work, half after. Default 0. */
  readonly latency?: number | (() => number)
  /** The service's clock in epoch milliseconds. Default `Date.now`. */
  readonly now?: () => number
  /** Waits for the latency, in milliseconds. For tests in virtual time. Default `setTimeout`. */
  readonly sleep?: (milliseconds: number) => Promise<void>
  /** Operations to handle in addition to the documented ones. */
  readonly operations?: readonly ServiceOperation[]
}
