import type { PetstoreEvent } from '../client/PetstoreEvent.ts'
import type { GateRecord, GateWindow } from '../rate-limit/GateRecord.ts'
import { countInFlight, liveWindows } from '../rate-limit/windows.ts'
import type { GateInspection } from '../rate-limit/rateLimitState.ts'

/** The history of the key's quota in the last minutes. */
export interface Timeline {
  /** The oldest first; times in which nothing happened have none. */
  readonly slots: readonly TimelineSlot[]
  /** The oldest first. */
  readonly cooldowns: readonly CooldownSpan[]
  /** The last responses of this tab that may have started a cool-down, the oldest first. */
  readonly refusals: readonly Refusal[]
  /** The record at the last look. */
  readonly lastLook: Look | undefined
}

export interface TimelineSlot {
  /** Epoch ms. */
  readonly start: number
  /** Requests of this tab that left. */
  readonly sent: number
  /** Requests of other tabs and other users of the key. */
  readonly elsewhere: number
  /** Responses with 429. */
  readonly refused: number
  /** The maximum of calls that waited at the same time. */
  readonly held: number
}

/** Epoch ms. */
interface CooldownSpan {
  readonly from: number
  readonly until: number
}

/** A response that closed the gate, or a request that failed. */
export interface Refusal {
  /** Epoch ms. */
  readonly at: number
  /** Until when it closed the gate (epoch ms). */
  readonly until?: number | undefined
  /** `undefined` without a response. */
  readonly status: number | undefined
}

interface Look {
  /** Epoch ms. */
  readonly at: number
  readonly record: GateRecord
  readonly held: number
  /** Requests that this tab had sent. */
  readonly sent: number
  /** Units that this tab does not account for. A single look may see a unit before its `request` event. */
  readonly unexplained: number
}

/** In ms. */
export const slotLength = 5_000

/** How long the history is, in ms. */
export const historyLength = 300_000

export const emptyTimeline: Timeline = { slots: [], cooldowns: [], refusals: [], lastLook: undefined }

/** Adds what this tab has sent and got back. */
export function addEvent(timeline: Timeline, event: PetstoreEvent): Timeline {
  const { at, type } = event
  if (type === 'request') {
    const { lastLook } = timeline
    return {
      ...timeline,
      slots: addToSlot(timeline.slots, at, { sent: 1 }),
      lastLook: lastLook && { ...lastLook, sent: lastLook.sent + 1 },
    }
  }
  if (type === 'rate-limited') {
    const { until } = event
    return addRefusal({ ...timeline, slots: addToSlot(timeline.slots, at, { refused: 1 }) }, { at, status: 429, until })
  }
  if (type === 'response' && event.status === 403) {
    const { retryIn } = event.rateLimitHeaders
    const until = retryIn === undefined ? undefined : at - event.bodyDuration + retryIn
    return addRefusal(timeline, { at, status: 403, until })
  }
  if (type === 'failure') return addRefusal(timeline, { at, status: undefined })
  return timeline
}

function addRefusal(timeline: Timeline, refusal: Refusal): Timeline {
  return { ...timeline, refusals: [...timeline.refusals.slice(-9), refusal] }
}

/** How much later or earlier than the record a response of this tab may tell a time, in ms: jitter and clocks differ. */
const causeTolerance = 1_000

/** The response of this tab that started the current cool-down, or the failure that started a pause; if one did. */
export function causeOf(timeline: Timeline, { at: now, record }: GateInspection): Refusal | undefined {
  const { cooldownUntil, breaker } = record
  const isNear = (one: number, other: number) => Math.abs(one - other) <= causeTolerance
  return timeline.refusals.findLast(({ at, status, until }) =>
    cooldownUntil > now
      ? until !== undefined && isNear(until, cooldownUntil)
      : status === undefined && isNear(at, breaker.since),
  )
}

/** Adds what a look at the gate shows: calls that wait, cool-downs, and requests that others have sent. */
export function addLook(timeline: Timeline, { at, record, waiting }: GateInspection): Timeline {
  const { lastLook } = timeline
  const held = waiting.filter(({ reason }) => reason !== 'store').length
  const spent = lastLook ? unitsSpent(lastLook.record, record, at) : undefined
  const unexplained = spent === undefined ? 0 : (lastLook?.unexplained ?? 0) + spent - (lastLook?.sent ?? 0)
  // What two looks in a row show is no unit whose event was still to come.
  const elsewhere = Math.max(0, Math.min(unexplained, lastLook?.unexplained ?? 0))
  const slots = addToSlot(holdSince(timeline.slots, lastLook, at), at, { held, elsewhere })
  return {
    ...timeline,
    slots: slots.filter(({ start }) => start > at - historyLength - slotLength),
    cooldowns: addCooldown(timeline.cooldowns, record, at),
    lastLook: { at, record, held, sent: 0, unexplained: unexplained - elsewhere },
  }
}

/** Between two looks nothing changes without an event, so the calls held at the first one were held all the time. */
function holdSince(slots: readonly TimelineSlot[], lastLook: Look | undefined, at: number): readonly TimelineSlot[] {
  if (!lastLook || lastLook.held === 0) return slots
  let held = slots
  const from = Math.max(lastLook.at, at - historyLength)
  for (let time = slotStart(from); time <= at; time += slotLength) held = addToSlot(held, time, { held: lastLook.held })
  return held
}

/**
 * How many units everybody with this key has spent or reserved between two looks. `undefined` if they cannot be compared:
 * another window has begun, or the gate was reset.
 */
function unitsSpent(before: GateRecord, after: GateRecord, now: number): number | undefined {
  if (before.resets !== after.resets) return undefined
  const inFlight = countInFlight(after) - countInFlight(before)
  const window = tightestWindow(after, now)
  if (!window) return tightestWindow(before, now) ? undefined : inFlight + newLocalUsage(before, after)
  const known = before.windows.find(({ limit, reset }) => limit === window.limit && reset === window.reset)
  return known && inFlight + known.remaining - window.remaining
}

function newLocalUsage(before: GateRecord, after: GateRecord): number {
  const known = new Map(before.localUsage.map(({ at, count }) => [at, count]))
  return after.localUsage.reduce((sum, { at, count }) => sum + Math.max(0, count - (known.get(at) ?? 0)), 0)
}

/** Adds the cool-down that the record knows, which may have ended. */
function addCooldown(cooldowns: readonly CooldownSpan[], record: GateRecord, now: number): readonly CooldownSpan[] {
  const recent = cooldowns.filter(({ until }) => until > now - historyLength)
  const { cooldownUntil: until } = record
  const last = recent.at(-1)
  const from = last && last.until > now ? last.from : Math.min(now, until)
  if (until <= from || until <= now - historyLength) {
    // A reset has ended it.
    return last && last.until > now ? recent.with(-1, { ...last, until: now }) : recent
  }
  return last && (last.from === from || last.until > from)
    ? recent.with(-1, { from: last.from, until })
    : [...recent, { from, until }]
}

const slotStart = (at: number) => Math.floor(at / slotLength) * slotLength

type Counts = Partial<Omit<TimelineSlot, 'start'>>

function addToSlot(slots: readonly TimelineSlot[], at: number, counts: Counts): readonly TimelineSlot[] {
  const { sent = 0, elsewhere = 0, refused = 0, held = 0 } = counts
  const start = slotStart(at)
  const index = slots.findLastIndex((slot) => slot.start <= start)
  const known = slots[index]?.start === start ? slots[index] : undefined
  if (sent + elsewhere + refused === 0 && held <= (known?.held ?? 0)) return slots
  const slot = {
    start,
    sent: (known?.sent ?? 0) + sent,
    elsewhere: (known?.elsewhere ?? 0) + elsewhere,
    refused: (known?.refused ?? 0) + refused,
    held: Math.max(known?.held ?? 0, held),
  }
  return known ? slots.with(index, slot) : slots.toSpliced(index + 1, 0, slot)
}

/** The window that holds requests back first; `undefined` if none is known. */
export function tightestWindow(record: GateRecord, now: number): GateWindow | undefined {
  const [first] = [...liveWindows(record, now)].sort((one, other) => one.remaining - other.remaining)
  return first
}
