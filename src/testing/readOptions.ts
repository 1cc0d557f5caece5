import { maxTimerDelay } from '../base/Clock.ts'
import type { BanOptions } from './admission.ts'
import { type CategorySeed, defaultCategories, type Int64, readCategorySeeds, readInt64 } from './categoryResource.ts'
import type { ServiceOperation } from './handlers.ts'
import { type PlanName, plans, type QuotaWindow } from './quota.ts'
import { createRouter } from './router.ts'

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
  /** How a key that keeps sending during a cool-down is banned. The interface document shows no ban. `false`: never. Default `{}`. */
  readonly ban?: false | BanOptions
  /** How long a response takes in milliseconds: half of it passes before the work, half after. Default 0. */
  readonly latency?: number
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
  return {
    keys: readKeys(options.keys ?? ['demo']),
    plan: readPlan(options.plan ?? 'free'),
    categories: readCategorySeeds(options.categories ?? defaultCategories),
    firstId: BigInt(readInt64(options.firstId ?? 1, 'firstId')),
    ban: readBan(options.ban ?? {}),
    latency: checkLatency(options.latency ?? 0),
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

function readBan(ban: false | BanOptions): Required<BanOptions> {
  const { after = 3, grace = 1000, duration = 300_000 } = ban === false ? { after: Infinity } : ban
  if (after !== Infinity) checkWhole('ban.after', after, 0, Number.MAX_SAFE_INTEGER)
  checkWhole('ban.grace (milliseconds)', grace, 0, maxLength)
  checkWhole('ban.duration (milliseconds)', duration, 1, maxLength)
  return { after, grace, duration }
}
