import type { Clock } from '../base/Clock.ts'
import { drain, type DrainContext, type DrainResult } from './drain.ts'
import { type GateRecord, rebaseAfterClockRollback } from './GateRecord.ts'
import type { GateResponse } from './gate.ts'
import type { CustomRate } from './plan.ts'
import type { FleetRecords, RateLimitStore, StoreClock } from './RateLimitStore.ts'
import type { QueuedRequest, RequestQueue } from './requestQueue.ts'

/** The gate as one page or process meets it. */
export interface PageGate<Request extends QueuedRequest> {
  /** Names the page after its first request. */
  readonly enter: (id: string) => void
  /**
   * Decides which requests of the queue may leave, in an update of the store.
   *
   * @param more - what is different in a fleet
   */
  readonly decide: (stored: GateRecord, now: number, more?: Partial<DrainContext>) => DrainResult<Request>
  /** Returns what it would decide. */
  readonly preview: (stored: GateRecord, now: number) => DrainResult<Request>
  /** Remembers the batch of the last requests that have left, for the next ones. Returns its id, or an empty text. */
  readonly join: (result: DrainResult<Request>) => string
  /** The part of a process of a fleet alone. */
  readonly fleet?: FleetGate<Request>
}

/** How a request ended. */
export type EndedRequest = Pick<GateResponse, 'rateLimitHeaders' | 'status'>

/** The use of units that a process holds ahead of its requests. */
interface FleetGate<Request extends QueuedRequest> {
  /** Admits the whole queue by units that the process holds, or returns nothing. */
  readonly decideAlone: (record: GateRecord, now: number) => DrainResult<Request> | undefined
  /** Whether the store has failed since a decision was made with it, which the others may not know of then. */
  readonly isCutOff: (result: DrainResult<Request>) => boolean
  /** Counts requests that have left. */
  readonly count: (requests: number) => void
  /**
   * How long a response can wait until it is stored together with others, in ms.
   *
   * @param stored - what the other processes know
   * @param record - with what this one has gathered since
   */
  readonly gatherTimeOf: (stored: GateRecord, record: GateRecord, ended: EndedRequest, now: number) => number
  /** Whether the process may end with the response that it has got. */
  readonly mayExit: () => boolean
  /**
   * When the store has to be updated at the latest (epoch ms).
   *
   * @param dueAt - when it has to be for the responses that this process has gathered
   */
  readonly updateAt: (dueAt: number, now: number) => number
}

export interface PageGateOptions<Request extends QueuedRequest> {
  readonly clock: Clock
  readonly pace: CustomRate
  readonly queue: RequestQueue<Request>
  /** The requests of the page that have left, and the batches that they belong to. */
  readonly sent: { readonly count: number; readonly batches: Iterable<string> }
  /** The name of the record. */
  readonly name: string
  /** Whether it learns nothing of others now. */
  readonly isCutOff: () => boolean
  /** Names the page or worker, where others can tell whether it still exists. */
  readonly owner: () => string | undefined
  /** 0 to 1 */
  readonly random: () => number
}

/** @param batchLength - requests that leave within this time are one batch: it bounds the record. In ms. */
export function createPageGate<Request extends QueuedRequest>(
  { clock, pace, queue, sent, owner }: PageGateOptions<Request>,
  batchLength = 1_000,
): PageGate<Request> {
  let page = ''
  let batch = ''
  let batchEndsAt = 0

  function decide(stored: GateRecord, now: number, more?: Partial<DrainContext>): DrainResult<Request> {
    const monotonicNow = clock.monotonic()
    const isOpen = monotonicNow < batchEndsAt
    // An empty queue changes no record, but a clock that was set back has to.
    return drain(queue, rebaseAfterClockRollback(stored, now), {
      now,
      monotonicNow,
      pace,
      page,
      inFlight: sent.count,
      owner: owner(),
      batch: isOpen ? batch : undefined,
      ...more,
    })
  }

  return {
    enter: (id) => {
      page ||= id
    },
    decide,
    preview: decide,
    join: ({ batch: next = '' }) => {
      if (next !== batch) {
        batch = next
        batchEndsAt = clock.monotonic() + batchLength
      }
      return next
    },
  }
}

/**
 * The same gate, which keeps a cool-down that this page has heard of for as long as it lasts on the monotonic clock, too:
 * setting the clock forward ends none.
 */
export function createSteadyGate<Request extends QueuedRequest>(
  gate: PageGate<Request>,
  clock: Pick<Clock, 'now' | 'monotonic' | 'monotonicStart'>,
): PageGate<Request> {
  /** When the monotonic clock was 0, by the wall clock as it was while no cool-down was known. In epoch ms. */
  let origin = clock.monotonicStart ?? clock.now() - clock.monotonic()
  /** When the cool-down ends, in ms of the monotonic clock. */
  let endsAt = -Infinity
  let clearedAt = 0

  /** Moves the end of a cool-down after the clock was set forward. */
  function hold(stored: GateRecord, now: number): GateRecord {
    const record = rebaseAfterClockRollback(stored, now)
    const { cooldownUntil, updatedAt } = record
    const monotonicNow = clock.monotonic()
    const steadyNow = origin + monotonicNow
    // An app has reset the gate.
    if (record.clearedAt > clearedAt) endsAt = -Infinity
    clearedAt = record.clearedAt
    // What was written after the clock was set forward is right by that clock.
    const time = updatedAt <= steadyNow ? Math.min(now, steadyNow) : now
    endsAt = Math.max(endsAt, monotonicNow + cooldownUntil - Math.max(time, updatedAt))
    // From then on, times are by the clock as it is set now. A cool-down of before stays in `endsAt`.
    if (endsAt <= monotonicNow || updatedAt > steadyNow) origin = now - monotonicNow
    if (endsAt <= monotonicNow || cooldownUntil > now) return record
    return { ...record, updatedAt: now, cooldownUntil: Math.ceil(now + endsAt - monotonicNow) }
  }

  return {
    ...gate,
    decide: (stored, now) => gate.decide(hold(stored, now), now),
    preview: (stored, now) => gate.preview(hold(stored, now), now),
  }
}

/** Parts of the gate that only a fleet needs. A store brings them, so that browsers do not load them. */
export interface Fleet extends FleetRecords {
  /** How long units count as in flight if their process says nothing more, in ms. */
  readonly leaseTime: number
  readonly createClock: (clock: Clock) => StoreClock
  readonly createGate: <Request extends QueuedRequest>(options: PageGateOptions<Request>) => PageGate<Request>
}

/** A global symbol, so that two copies of the package share it. */
export const fleet: unique symbol = Symbol.for('petstore-react.fleet')

export interface FleetStore extends RateLimitStore {
  readonly [fleet]: Fleet
}

export function fleetOf(store: RateLimitStore): Fleet | undefined {
  return isFleetStore(store) ? store[fleet] : undefined
}

function isFleetStore(store: RateLimitStore): store is FleetStore {
  return fleet in store
}
