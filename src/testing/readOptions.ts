import { maxTimerDelay } from '../base/Clock.ts'
import type { BanRules, RetryAfterFormat } from './admission.ts'
import { type CategorySeed, type Int64, readCategorySeeds, readInt64 } from './categoryResource.ts'
import type { ServiceOperation } from './handlers.ts'
import { type PlanName, plans, type QuotaWindow } from './quota.ts'
import { createRouter } from './router.ts'

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

/** The rights of a page of another origin. The interface document does not mention CORS. */
export interface CorsRules {
  /** The origin that may send requests, `*` for any. Default `*`. */
  readonly origin?: string
  /** Whether its pages may read the rate limit headers (`Access-Control-Expose-Headers`). Default `true`. */
  readonly exposeHeaders?: boolean
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
  /** The rights of pages of other origins. `false`: no CORS headers and no preflights. Default `{}`: everything. */
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

/** The checked options with all defaults. */
export type Settings = ReturnType<typeof readOptions>

// Longer windows could end at dates that JavaScript cannot represent.
const year = 366 * 86_400_000

/** @throws TypeError or RangeError that says what to write instead. */
export function readOptions(options: PetstoreServiceOptions) {
  const { latency = 0, cors = {} } = options
  if (typeof latency === 'number') checkLatency(latency)
  return {
    keys: readKeys(options.keys ?? ['demo']),
    plan: readPlan(options.plan ?? 'free'),
    categories: readCategorySeeds(options.categories),
    firstId: BigInt(readInt64(options.firstId ?? 1, 'firstId')),
    retryAfter: readRetryAfter(options.retryAfter ?? 'seconds'),
    ban: readBan(options.ban ?? {}),
    corsHeaders: readCors(cors),
    handlesPreflights: cors !== false,
    latency: () => checkLatency(typeof latency === 'number' ? latency : latency()),
    // Read at each call, so that fake timers apply.
    now: options.now ?? (() => Date.now()),
    sleep: options.sleep ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))),
    route: createRouter(options.operations),
  }
}

function checkWhole(value: number, from: number, to: number, what: string): void {
  if (Number.isSafeInteger(value) && from <= value && value <= to) return
  throw new RangeError(`${what} must be a whole number from ${from} to ${to}, not ${value}.`)
}

function checkLatency(latency: number): number {
  if (latency >= 0 && latency <= maxTimerDelay) return latency
  throw new RangeError(`latency must be a number of milliseconds from 0 to ${maxTimerDelay}, not ${latency}.`)
}

function readKeys(keys: readonly string[]): ReadonlySet<string> {
  if (keys.length === 0) throw new TypeError("keys must hold at least one API key, such as ['demo'].")
  const bad = keys.find((key) => !/^[\x21-\x7e]+$/.test(key))
  if (bad !== undefined) {
    throw new TypeError(`The key "${bad}" cannot be sent in a header. Use visible ASCII characters, without spaces.`)
  }
  return new Set(keys)
}

function readPlan(plan: NonNullable<PetstoreServiceOptions['plan']>): readonly QuotaWindow[] {
  if (typeof plan === 'string') {
    if (Object.hasOwn(plans, plan)) return plans[plan]
    const names = Object.keys(plans).join("', '")
    throw new TypeError(`Unknown plan "${plan}". Use '${names}', or your own windows: [{ limit: 60, per: 60_000 }].`)
  }
  if (plan.length === 0) throw new TypeError('plan must hold at least one window, such as { limit: 60, per: 60_000 }.')
  for (const { limit, per } of plan) {
    checkWhole(limit, 1, Number.MAX_SAFE_INTEGER, 'The limit of a window')
    checkWhole(per, 1, year, 'The length "per" of a window (milliseconds)')
  }
  return plan.map(({ limit, per }) => ({ limit, per }))
}

function readRetryAfter(format: RetryAfterFormat): RetryAfterFormat {
  if (typeof format === 'object') checkHeader('retryAfter.text', format.text)
  else if (!['seconds', 'fractional', 'http-date'].includes(format)) {
    throw new TypeError(`Unknown retryAfter "${format}". Use 'seconds', 'fractional', 'http-date' or { text }.`)
  }
  return format
}

function readBan(ban: false | BanOptions): BanRules {
  const { after = 3, grace = 1000, duration = 300_000, status = 403 } = ban === false ? { after: Infinity } : ban
  if (after !== Infinity) checkWhole(after, 0, Number.MAX_SAFE_INTEGER, 'ban.after')
  checkWhole(grace, 0, year, 'ban.grace (milliseconds)')
  checkWhole(duration, 1, year, 'ban.duration (milliseconds)')
  checkWhole(status, 400, 599, 'ban.status')
  return { after, grace, duration, status }
}

const exposed = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Date, Deprecation, Sunset'

/** The CORS headers of every response. None if CORS is switched off. */
function readCors(cors: false | CorsRules): Record<string, string> {
  if (cors === false) return {}
  const { origin = '*', exposeHeaders = true } = cors
  checkHeader('cors.origin', origin)
  return {
    'Access-Control-Allow-Origin': origin,
    ...(origin !== '*' && { Vary: 'Origin' }),
    ...(exposeHeaders && { 'Access-Control-Expose-Headers': exposed }),
  }
}

function checkHeader(what: string, value: string): void {
  if (typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value)) return
  throw new TypeError(`${what} cannot be sent in a header: ${JSON.stringify(value)}. Use one line of ASCII text.`)
}
