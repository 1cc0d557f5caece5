import { maxTimerDelay } from '../base/Clock.ts'
import type { BanOptions, RetryAfterFormat } from './admission.ts'
import { type CategorySeed, defaultCategories, type Int64, readCategorySeeds, readInt64 } from './categoryResource.ts'
import type { ServiceOperation } from './handlers.ts'
import { type PlanName, plans, type QuotaWindow } from './quota.ts'
import { createRouter } from './router.ts'

/** The rights of a page of another origin. The interface document does not mention CORS. */
export interface CorsRules {
  /** The origin that may send requests, as browsers write it (`http://localhost:3000`); `*` for any. Default `*`. */
  readonly origin?: string
  /** Whether pages of `origin` may read the rate limit headers, Retry-After, Date, Deprecation and Sunset. Default `true`. */
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
  /** How a key that keeps sending during a cool-down is banned. The interface document shows no ban. `false`: never. Default `{}`. */
  readonly ban?: false | BanOptions
  /** The rights of pages of other origins. `false`: no CORS headers, and a preflight is a request like any other. Default `{}`. */
  readonly cors?: false | CorsRules
  /** How long a response takes in milliseconds: half of it passes before the work, half after. Default 0. */
  readonly latency?: number | (() => number)
  /** The service's clock in epoch milliseconds. Default `Date.now`. */
  readonly now?: () => number
  /** Called with each half of `latency`, to wait so long: replace it in tests in virtual time. Default `setTimeout`. */
  readonly sleep?: (milliseconds: number) => Promise<void>
  /** Operations to handle in addition to the documented ones. */
  readonly operations?: readonly ServiceOperation[]
}

/** The checked options with all defaults. */
export type Settings = ReturnType<typeof readOptions>

// The longest window, grace period or ban, in ms: a much longer one would end at a date that JavaScript cannot represent.
const maxLength = 366 * 86_400_000

/** @throws TypeError or RangeError that says what to write instead. */
export function readOptions(options: PetstoreServiceOptions) {
  const latency = options.latency ?? 0
  if (typeof latency === 'number') checkLatency(latency)
  return {
    keys: readKeys(options.keys ?? ['demo']),
    plan: readPlan(options.plan ?? 'free'),
    categories: readCategorySeeds(options.categories ?? defaultCategories),
    firstId: BigInt(readInt64(options.firstId ?? 1, 'firstId')),
    retryAfter: readRetryAfter(options.retryAfter ?? 'seconds'),
    ban: readBan(options.ban ?? {}),
    corsHeaders: readCors(options.cors ?? {}),
    handlesPreflights: options.cors !== false,
    latency: () => checkLatency(typeof latency === 'number' ? latency : latency()),
    // Both functions look up `Date` and `setTimeout` at each call, so that fake timers apply.
    now: options.now ?? (() => Date.now()),
    sleep: options.sleep ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))),
    route: createRouter(options.operations),
  }
}

function checkWhole(what: string, value: number, from: number, to: number): void {
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
    checkWhole('The limit of a window', limit, 1, Number.MAX_SAFE_INTEGER)
    checkWhole('The length "per" of a window (milliseconds)', per, 1, maxLength)
  }
  return plan.map(({ limit, per }) => ({ limit, per }))
}

function readRetryAfter(format: RetryAfterFormat): RetryAfterFormat {
  if (typeof format !== 'object') {
    if (['seconds', 'fractional', 'http-date'].includes(format)) return format
    throw new TypeError(`Unknown retryAfter "${format}". Use 'seconds', 'fractional', 'http-date' or { text }.`)
  }
  const text: unknown = format.text
  if (typeof text === 'string' && /^[\t\x20-\x7e]*$/.test(text)) return format
  throw new TypeError(`retryAfter.text cannot be sent in a header: ${JSON.stringify(text)}. Use one line of ASCII.`)
}

function readBan(ban: false | BanOptions): Required<BanOptions> {
  const { after = 3, grace = 1000, duration = 300_000, status = 403 } = ban === false ? { after: Infinity } : ban
  if (after !== Infinity) checkWhole('ban.after', after, 0, Number.MAX_SAFE_INTEGER)
  checkWhole('ban.grace (milliseconds)', grace, 0, maxLength)
  checkWhole('ban.duration (milliseconds)', duration, 1, maxLength)
  checkWhole('ban.status', status, 400, 599)
  return { after, grace, duration, status }
}

const exposed = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Date, Deprecation, Sunset'

/** The CORS headers of every response. None if CORS is switched off. */
function readCors(cors: false | CorsRules): Record<string, string> {
  if (cors === false) return {}
  const { origin = '*', exposeHeaders = true } = cors
  if (!/^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:[\]_-]+)$/.test(origin)) {
    const example = "Use '*', or an origin as browsers write it, without a slash at its end: 'http://localhost:3000'."
    throw new TypeError(`cors.origin "${origin}" matches no page. ${example}`)
  }
  return {
    'Access-Control-Allow-Origin': origin,
    ...(origin !== '*' && { Vary: 'Origin' }),
    ...(exposeHeaders && { 'Access-Control-Expose-Headers': exposed }),
  }
}
