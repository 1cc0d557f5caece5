import { gatewayOpensAt, isOutage } from './failures.ts'
import { type GateDecision, type Priority, type RefusalReason, reserve, unitsOf, windowOpensAt } from './gate.ts'
import type { GateRecord, GateWindow } from './GateRecord.ts'
import { countInFlight, liveWindows, paceOpensAt } from './windows.ts'
import { type CustomRate, minute } from './plan.ts'

/**
 * Why a call waits, as people are told. `rate-limit`: the key's quota is used up or paused by the service. `connection` and
 * `service`: requests failed without a response, or with one that explains nothing. `other-tabs`: it is the turn of other
 * tabs or processes.
 */
export type WaitReason = 'rate-limit' | 'connection' | 'service' | 'other-tabs'

/** When and why a request waits. */
export interface Wait {
  /** When the request leaves, in epoch ms. */
  readonly until: number
  readonly reason: WaitReason
  /** Whether it may also leave later: nobody knows yet what is left by then. */
  readonly isEarliest: boolean
}

/**
 * Called when a request has to wait, and again when its time or reason changes; called with `undefined` alone when it
 * leaves.
 *
 * @param until - when it leaves, in epoch ms
 * @param isEarliest - whether it may also leave later
 */
export type OnWait = (until: number | undefined, reason?: WaitReason, isEarliest?: boolean) => void

/** When requests that wait for the same reason leave, by their places: 0 leaves next. */
export interface Places {
  readonly at: (place: number) => Wait
  /** When one may leave, at the earliest (epoch ms): a response that it waits for may come at any time. */
  readonly opensAt: (place: number) => number
  /**
   * Changes when the time of a request may have moved by a second.
   *
   * @param departed - how many requests have left, since their departure moves neither the others nor the units
   */
  readonly key: (departed: number) => string
}

interface PlacesContext {
  readonly priority: Priority
  /** How many other pages wait for the same units. */
  readonly rivals: number
  readonly now: number
  readonly pace: CustomRate
}

/** A quota that opens in steps: so many requests at once, and as many after each period. */
interface Steps {
  /** When the first step opens for one of its requests (epoch ms). */
  readonly first: (index: number) => number
  /** How many leave before. */
  readonly units: number
  readonly chunk: number
  readonly period: number
  /** Whether these figures were announced. */
  readonly isSure: boolean
}

type Refusal = Pick<Extract<GateDecision, { admitted: false }>, 'notBefore' | 'wakeAt'> & {
  readonly reason: RefusalReason | 'other-tabs'
}

/** When the requests leave that the gate has refused, as far as the record tells. Never later than a quota allows. */
export function placesOf(record: GateRecord, refusal: Refusal, context: PlacesContext): Places {
  const { reason, notBefore, wakeAt } = refusal
  const steps = stepsOf(record, refusal, context)
  const next = notBefore > context.now ? notBefore : wakeAt
  const waitReason = waitReasonOf(reason, record)
  const timesOf = (place: number) => steps.map((quota) => timeOf(quota, place))
  return {
    // A gateway's pace may end at any time.
    opensAt: (place) => Math.max(notBefore, ...(reason === 'gateway' ? [] : timesOf(place).map(({ at }) => at))),
    at: (place) => {
      const times = timesOf(place)
      const until = Math.max(next, ...times.map(({ at }) => at))
      return { until, reason: waitReason, isEarliest: times.length === 0 || times.some(({ isSure }) => !isSure) }
    },
    key: (departed) => {
      if (reason === 'pace' || reason === 'gateway') return [waitReason, ...steps.map(rollingKey(departed))].join()
      const parts = steps.map(
        ({ first, units, chunk }) => `${Math.round(first(0) / 1_000)} ${units + departed} ${chunk}`,
      )
      return [waitReason, Math.round(next / 1_000), ...parts].join()
    },
  }
}

/** As one request leaves after the other, the next one's time moves, and those of the others stay. */
function rollingKey(departed: number): (steps: Steps) => string {
  return (steps) => {
    const { chunk, period } = steps
    // Of the places that all requests have had, the next one with which a period begins.
    const place = (chunk - (departed % chunk)) % chunk
    const beginsAt = timeOf(steps, place).at - ((departed + place) / chunk) * period
    return `${Math.round(beginsAt / 1_000)} ${chunk}`
  }
}

function timeOf(
  { first, units, chunk, period, isSure }: Steps,
  place: number,
): { readonly at: number; readonly isSure: boolean } {
  const behind = place - units
  if (behind < 0) return { at: 0, isSure }
  const periods = Math.floor(behind / chunk)
  const at = first(periods === 0 ? behind : behind % chunk) + periods * period
  return { at, isSure: isSure && (periods === 0 || period >= minute / 2) }
}

function stepsOf(record: GateRecord, { reason, notBefore }: Refusal, context: PlacesContext): Steps[] {
  const { priority, rivals, now, pace } = context
  const sharers = rivals + 1
  const inFlight = countInFlight(record)
  const chunkOf = (limit: number) => Math.max(1, Math.floor((limit - reserve(priority, limit)) / sharers))

  function stepsOfWindow(window: GateWindow): Steps {
    const { limit, resetAt, span = 0 } = window
    const isLive = resetAt > now
    const units = isLive ? Math.max(0, unitsOf(window, priority, now) - inFlight) : 0
    const isKnown = limit > 0
    const opensAt = units > 0 ? resetAt : windowOpensAt(window, priority, inFlight, now)
    return {
      first: () => (isLive ? Math.max(notBefore, opensAt) : notBefore),
      units: Math.floor(units / sharers),
      chunk: isKnown ? chunkOf(limit) : Infinity,
      period: span,
      isSure: isKnown && rivals === 0,
    }
  }

  const inLiveWindows = () => liveWindows(record, now).map(stepsOfWindow)
  // A response, a probe or another page decides.
  const unknown = () => []
  const steps: Readonly<Record<Refusal['reason'], () => Steps[]>> = {
    'used-up': inLiveWindows,
    reserve: inLiveWindows,
    'in-flight': inLiveWindows,
    'cooling-down': () => record.windows.filter(({ limit }) => limit > 0).map(stepsOfWindow),
    pace: () => {
      const room = pace.limit - reserve(priority, pace.limit) - inFlight
      const first = (index: number) => Math.min(now + pace.per, paceOpensAt(record.localUsage, room - index, pace, now))
      return [{ first, units: 0, chunk: chunkOf(pace.limit), period: pace.per, isSure: rivals === 0 }]
    },
    gateway: () => {
      const { gap } = record.failures.gateway
      return [{ first: () => gatewayOpensAt(record, now), units: 0, chunk: 1, period: gap, isSure: false }]
    },
    failures: unknown,
    probe: unknown,
    'other-tabs': unknown,
  }
  return steps[reason]()
}

/** The reason that people are told. */
export function waitReasonOf(reason: RefusalReason | 'other-tabs', record: GateRecord): WaitReason {
  if (reason === 'other-tabs') return reason
  if (reason === 'gateway') return 'service'
  if (reason !== 'failures' && !(reason === 'probe' && isOutage(record))) return 'rate-limit'
  return record.failures.status === 0 ? 'connection' : 'service'
}
