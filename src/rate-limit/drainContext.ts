import type { Clock } from './Clock.ts'
import type { DrainContext } from './drain.ts'
import type { CustomRate } from './plan.ts'

/** What a page knows when it drains its queue. */
export interface PageDrainContext {
  readonly at: (now: number) => DrainContext
  /** Remembers the batch of the last requests that have left, for the next ones. Returns its id, or an empty text. */
  readonly join: (batch: string | undefined) => string
}

/** Requests that leave within this time are one batch: it bounds the record, whatever is in flight. In ms. */
const batchLength = 1_000

export function createDrainContext(clock: Clock, pace: CustomRate): PageDrainContext {
  let batch = ''
  let batchEndsAt = 0

  return {
    at: (now) => {
      const monotonicNow = clock.monotonic()
      return { now, monotonicNow, pace, batch: monotonicNow < batchEndsAt ? batch : undefined }
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
