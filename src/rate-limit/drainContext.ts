import type { Clock } from './Clock.ts'
import type { DrainContext } from './drain.ts'
import type { CustomRate } from './plan.ts'

/** What a page knows when it drains its queue. */
export interface PageDrainContext {
  /** Names the page after its first request. */
  readonly enter: (id: string) => void
  readonly at: (now: number) => DrainContext
  /** Remembers the batch of the last requests that have left, for the next ones. Returns its id, or an empty text. */
  readonly join: (batch: string | undefined) => string
}

/** Requests that leave within this time are one batch: it bounds the record, whatever is in flight. In ms. */
const batchLength = 1_000

/** @param countInFlight - returns how many requests of the page are in flight */
export function createDrainContext(clock: Clock, pace: CustomRate, countInFlight: () => number): PageDrainContext {
  let page = ''
  let batch = ''
  let batchEndsAt = 0

  return {
    enter: (id) => {
      page ||= id
    },
    at: (now) => {
      const monotonicNow = clock.monotonic()
      const isOpen = monotonicNow < batchEndsAt
      return { now, monotonicNow, pace, page, inFlight: countInFlight(), batch: isOpen ? batch : undefined }
    },
    join: (next = '') => {
      if (next !== batch) {
        batch = next
        batchEndsAt = clock.monotonic() + batchLength
      }
      return next
    },
  }
}
