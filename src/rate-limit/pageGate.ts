import type { Clock } from '../base/Clock.ts'
import { type DrainResult, drain } from './drain.ts'
import { type GateRecord, rebaseAfterClockRollback } from './GateRecord.ts'
import type { GateResponse } from './gate.ts'
import type { CustomRate } from './plan.ts'
import type { QueuedRequest, RequestQueue } from './requestQueue.ts'
import type { SentRequests } from './sentRequests.ts'

/** The gate as one page or process meets it. */
export interface PageGate<Request extends QueuedRequest> {
  /** Names the page after its first request. */
  readonly enter: (id: string) => void
  /** Decides which requests of the queue may leave, in an update of the store. */
  readonly decide: (stored: GateRecord, now: number) => DrainResult<Request>
  /** Returns what it would decide. */
  readonly preview: (stored: GateRecord, now: number) => DrainResult<Request>
  /** Remembers the batch of the last requests that have left, for the next ones. Returns its id, or an empty text. */
  readonly join: (result: DrainResult<Request>) => string
  /** What only a process of a fleet does. */
  readonly fleet?: FleetGate<Request>
}

/** How a request ended. */
export type EndedRequest = Pick<GateResponse, 'rateLimitHeaders' | 'status'>

/** What a process does with units that it holds ahead of its requests. */
export interface FleetGate<Request extends QueuedRequest> {
  /** Admits the whole queue by units that the process holds, or returns nothing. */
  readonly decideAlone: (record: GateRecord, now: number) => DrainResult<Request> | undefined
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
  /** When the store has to be updated at the latest (epoch ms). */
  readonly updateAt: (now: number) => number
}

export interface PageGateOptions<Request extends QueuedRequest> {
  readonly clock: Clock
  readonly pace: CustomRate
  readonly queue: RequestQueue<Request>
  readonly sent: SentRequests
  /** The name of the record. */
  readonly name: string
  /** Whether it learns nothing of others now. */
  readonly isCutOff: () => boolean
  /** Names the page or worker, where others can tell whether it still exists. */
  readonly owner: () => string | undefined
}

/** Requests that leave within this time are one batch: it bounds the record, whatever is in flight. In ms. */
const batchLength = 1_000

export function createPageGate<Request extends QueuedRequest>(options: PageGateOptions<Request>): PageGate<Request> {
  const { clock, pace, queue, sent, owner } = options
  let page = ''
  let batch = ''
  let batchEndsAt = 0

  function decide(stored: GateRecord, now: number): DrainResult<Request> {
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
