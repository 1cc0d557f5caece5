import type { FailedAddress, Failures, GatewayPace, GateRecord } from './GateRecord.ts'
import { noFailures } from './GateRecord.ts'
import { countUnits, liveWindows } from './windows.ts'
import { type CustomRate, day, minute } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

/**
 * Whether a request failed without an explanation: no response that can be read, or a gateway's. It may be a refusal: a
 * page cannot read a 429 without CORS headers, and nginx refuses with a bare 503.
 */
export function isUnexplainedFailure(status: number, { limit, remaining, resetAt }: RateLimitHeaders): boolean {
  const isBare = (limit ?? remaining ?? resetAt) === undefined
  return status === 0 || (isBare && status >= 502 && status <= 504)
}

/** A request that failed. Times are epoch ms. */
export interface FailedRequest {
  readonly address: string
  /** Whether its call has sent a request before. */
  readonly isRetry: boolean
  readonly status: number
  readonly sentAt: number
  readonly rateLimitHeaders: RateLimitHeaders
  /** 0 to 1, at random. */
  readonly jitter: number
}

/** A key that has worked so recently may be trusted, in ms. */
const trustTime = 5 * minute
/** So many calls that failed without a success speak of the key. */
const keyFailures = 3
/** Pauses of a trusted key, in ms. */
const shortPauses = [1_000, 2_000, 4_000, 5_000, 5_000, 5_000]
/** A request that left this soon after the end of a pause has waited for it, in ms. */
const waitedFor = 2_000
/** How long the others wait for a probe without a response, in ms. */
export const probeTime = 2_000

/** The longest list of addresses: it bounds the record. */
export const maxAddresses = 16

/** Whether one request at a time has to find out if the key works. */
export function isOutage({ failures }: GateRecord): boolean {
  return failures.pauseUntil > 0
}

function hasWorkedLately({ failures: { succeededAt } }: GateRecord, now: number): boolean {
  return succeededAt > 0 && now - succeededAt <= trustTime
}

/** Whether failures say more about the line than about the key: it has just worked, and is mostly unused. */
function isTrusted(record: GateRecord, now: number, pace: CustomRate): boolean {
  if (!hasWorkedLately(record, now)) return false
  const windows = liveWindows(record, now)
  if (windows.length > 0) return windows.every(({ limit, remaining }) => remaining * 2 > limit)
  return countUnits(record.localUsage) * 2 < pace.limit
}

/** A trusted key's pauses grow like those of others after six of them. */
function pauseLength(pauses: number, trusted: boolean): number {
  const short = trusted ? shortPauses[pauses] : undefined
  // A page that cannot read a 429 sends three probes into its minute; twice as long each time would be five, and services
  // ban a key for less.
  return short ?? Math.min(minute, 1_000 * 4 ** (trusted ? pauses - shortPauses.length + 2 : pauses))
}

/** A request that may be the next probe. */
export interface ProbeCandidate {
  readonly address: string
  /** When it came, in epoch ms, if a person has just called. */
  readonly calledAt?: number | undefined
}

/** When a request may leave as the next probe (epoch ms). */
export function probeOpensAt(
  record: GateRecord,
  { address, calledAt = 0 }: ProbeCandidate,
  now: number,
  pace: CustomRate,
): number {
  const { addresses, newAddresses, pauses, pausedAt, pauseUntil, probedAt } = record.failures
  // What has failed so far may be all that is broken.
  if (hasWorkedLately(record, now) && newAddresses === 0 && !(address in addresses)) return now
  if (calledAt <= pausedAt) return pauseUntil
  const personsGap = isTrusted(record, now, pace) && pauses <= shortPauses.length ? 2_000 : 10_000
  return Math.min(pauseUntil, probedAt + personsGap)
}

/**
 * Records a failure without an explanation. It speaks of its own address; of the key only if nothing has succeeded since
 * the request left, and with others.
 */
export function recordFailure(record: GateRecord, request: FailedRequest, now: number, pace: CustomRate): GateRecord {
  const { status, sentAt, isRetry, jitter } = request
  const failures: Failures = {
    ...record.failures,
    status,
    addresses: withAddress(record, request, now),
    gateway: slowDown(record, request, now),
  }
  // Without a window, more requests leave with each response: what a gateway refuses was too much.
  const maxInFlight = status > 0 && liveWindows(record, now).length === 0 ? 1 : record.maxInFlight
  const failed = { ...record, failures, maxInFlight }
  // A failure of a request that left before the pause is no news, nor is a further one of the same call.
  const isNews = isOutage(record) ? sentAt > failures.pausedAt : !isRetry
  const isOld = failures.succeededAt > sentAt || sentAt <= record.cooldownStartedAt
  if (isOld || !isNews) return failed

  const trusted = isTrusted(record, now, pace)
  const count = failures.count + 1
  // A 429 that a page cannot read looks like a lost connection: where the key has not worked lately, two are enough.
  const enough = status > 0 || hasWorkedLately(record, now) ? keyFailures : keyFailures - 1
  if (count < enough) return { ...failed, failures: { ...failures, count } }
  // Only a request that waited for the end of the last pause tells that it was too short.
  const hasWaited = sentAt <= failures.pauseUntil + waitedFor
  const pauses = hasWaited ? failures.pauses : 0
  const slack = trusted ? 100 * jitter : 500 * (1 + jitter)
  const isNewAddress = isOutage(record) && !(request.address in record.failures.addresses)
  const pauseUntil = Math.max(failures.pauseUntil, Math.ceil(now + pauseLength(pauses, trusted) + slack))
  return {
    ...failed,
    failures: {
      ...failures,
      count,
      pauses: pauses + 1,
      pausedAt: now,
      pauseUntil,
      probedAt: Math.max(failures.probedAt, sentAt),
      newAddresses: failures.newAddresses + (isNewAddress ? 1 : 0),
    },
    maxInFlight: 1,
  }
}

/** A response showed that the key works: no failure speaks against it any more. */
export function recordSuccess(record: GateRecord, address: string, sentAt: number, now: number): GateRecord {
  const { [address]: known, ...others } = record.failures.addresses
  // A request that left before it was asked for does not shorten what the service asked for.
  const addresses = known && known.retryAt <= now ? others : record.failures.addresses
  const gateway = speedUp(record.failures.gateway, sentAt, now)
  return { ...record, failures: { ...noFailures, succeededAt: now, addresses, gateway } }
}

/** Ends the pause: what the failures spoke of may be over. What single addresses have asked for stays. */
export function endPause(record: GateRecord, now: number): GateRecord {
  const { count, pauseUntil, succeededAt, addresses } = record.failures
  if (count === 0 && pauseUntil === 0) return record
  return { ...record, updatedAt: now, failures: { ...noFailures, succeededAt, addresses } }
}

/** Records that a response asks to leave one address alone for a time. */
export function holdAddress(record: GateRecord, request: FailedRequest, now: number): GateRecord {
  return { ...record, failures: { ...record.failures, addresses: withAddress(record, request, now) } }
}

function withAddress(
  { failures, skew }: GateRecord,
  { address, status, rateLimitHeaders, jitter }: FailedRequest,
  now: number,
): Failures['addresses'] {
  const { retryIn = 0, retryDate = 0 } = rateLimitHeaders
  const wait = Math.min(day, Math.max(retryIn, retryDate - skew.min - now))
  const slack = Math.ceil(500 * (1 + jitter))
  const retryAt = Math.max(failures.addresses[address]?.retryAt ?? 0, wait > 0 ? now + wait + slack : 0)
  return latestAddresses(failures.addresses, { [address]: { failedAt: now, retryAt, status } })
}

/** Of too many addresses, keeps those whose hold ends last, then those that have failed last. */
function latestAddresses(...lists: readonly Failures['addresses'][]): Failures['addresses'] {
  const entries = new Map<string, FailedAddress>()
  for (const [id, address] of lists.flatMap((list) => Object.entries(list))) {
    const known = entries.get(id)
    if (!known || compareAddresses(known, address) < 0) entries.set(id, address)
  }
  return Object.fromEntries(
    [...entries].sort(([, one], [, other]) => compareAddresses(one, other)).slice(-maxAddresses),
  )
}

function compareAddresses(one: FailedAddress, other: FailedAddress): number {
  return one.retryAt - other.retryAt || one.failedAt - other.failedAt
}

/** The hold of an address, while it lasts. */
export function heldAddress({ failures }: GateRecord, address: string, now: number): FailedAddress | undefined {
  const held = failures.addresses[address]
  return held && held.retryAt > now ? held : undefined
}

const burstTime = 1_000
/** So many requests of one second are a burst. */
const minBurst = 8
/** In ms; doubled while requests fail. */
const firstGap = 1_000
const maxGap = 4_000
const minGap = 500
/** After so many requests in a row that passed, the gap is halved: sooner where none has failed since the pace began. */
const passesPerGap = { doubted: 4, confirmed: 12 }
/** A rate that lets so many pass at one gap does not refuse the next. */
const provenPasses = 6

/**
 * A gateway's rate refuses several requests of one second, whatever they ask for. A broken address fails again and again,
 * and a lossy line at any pace.
 */
function slowDown(record: GateRecord, request: FailedRequest, now: number): GatewayPace {
  const { gateway, addresses } = record.failures
  const { address, isRetry, status, sentAt } = request
  if (gateway.gap > 0) {
    if (sentAt <= gateway.changedAt) return gateway
    if (gateway.gap === maxGap || gateway.passed >= provenPasses) return { ...noFailures.gateway, changedAt: now }
    return { ...gateway, row: gateway.row + 1, gap: gateway.gap * 2, changedAt: now, sentAt: now, passed: 0 }
  }
  const burst = burstOf(gateway, sentAt)
  const failed = {
    ...burst,
    row: burst.row + (isRetry ? 0 : 1),
    refused: burst.refused + (address in addresses ? 0 : 1),
  }
  return isRefused(failed, status, record, now)
    ? { ...failed, row: 0, gap: firstGap, changedAt: now, sentAt: now, passed: 0 }
    : failed
}

/** Whether a burst was refused by a rate. Any other cause is rare for as many failures, but not for two or three. */
function isRefused(
  { passed, row, refused, changedAt }: GatewayPace,
  status: number,
  record: GateRecord,
  now: number,
): boolean {
  if (status > 0 && refused >= 8) return true
  // Within a window a few failures say more about their addresses, if they can be read.
  if (status > 0 && liveWindows(record, now).length > 0) return false
  // A line on which a slow pace has not helped loses responses at any pace.
  if (changedAt > 0 && now - changedAt < trustTime) return false
  // A rate lets the first pass and none after them. A lossy line loses some of them, and a lost network all.
  return passed > 0 && row >= 2 && passed + refused + recentlySent(record, now) >= minBurst
}

function recentlySent({ inFlight }: GateRecord, now: number): number {
  return Object.values(inFlight).reduce((sum, { count, since }) => sum + (now - since < burstTime ? count : 0), 0)
}

/** The burst that a request belongs to. */
function burstOf(gateway: GatewayPace, sentAt: number): GatewayPace {
  if (Math.abs(sentAt - gateway.burstAt) < burstTime) return gateway
  return { ...noFailures.gateway, burstAt: sentAt, changedAt: gateway.changedAt }
}

function speedUp(gateway: GatewayPace, sentAt: number, now: number): GatewayPace {
  if (gateway.gap === 0) {
    const burst = burstOf(gateway, sentAt)
    return { ...burst, passed: burst.passed + 1, row: 0 }
  }
  if (sentAt <= gateway.changedAt) return gateway
  const passed = gateway.passed + 1
  const enough = gateway.row > 0 ? passesPerGap.confirmed : passesPerGap.doubted
  if (passed < enough) return { ...gateway, passed }
  const gap = gateway.gap / 2
  return gap < minGap ? noFailures.gateway : { ...gateway, gap, changedAt: now, passed: 0 }
}

/** When the gateway's pace allows the next request (epoch ms); 0 without a pace. */
export function gatewayOpensAt({ failures: { gateway } }: GateRecord, now: number): number {
  const isOver = gateway.gap === 0 || now - gateway.sentAt > minute
  return isOver ? 0 : gateway.sentAt + gateway.gap
}

/** Notes that a request leaves: as a probe, or at the pace of a gateway. */
export function noteSent(record: GateRecord, now: number): GateRecord {
  const { failures } = record
  const probedAt = isOutage(record) ? now : failures.probedAt
  const gateway = failures.gateway.gap > 0 ? { ...failures.gateway, sentAt: now } : failures.gateway
  if (probedAt === failures.probedAt && gateway === failures.gateway) return record
  return { ...record, failures: { ...failures, probedAt, gateway } }
}

/** Merges so that the gate opens no earlier than either of both allows, unless a success has come since. */
export function mergeFailures(one: Failures, other: Failures): Failures {
  const newer = one.succeededAt > other.succeededAt ? one : other
  const last = one.pauseUntil > other.pauseUntil ? one : other
  const base = newer.succeededAt > last.pausedAt ? newer : last
  return {
    ...base,
    count: one.succeededAt === other.succeededAt ? Math.max(one.count, other.count) : base.count,
    succeededAt: newer.succeededAt,
    addresses: latestAddresses(one.addresses, other.addresses),
    gateway: one.gateway.gap > other.gateway.gap ? one.gateway : other.gateway,
  }
}
