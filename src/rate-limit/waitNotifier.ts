import type { LaneRefusal } from './drain.ts'
import type { Priority } from './gate.ts'
import type { QueuedRequest, RequestQueue } from './requestQueue.ts'
import type { Wait } from './Wait.ts'

export interface NotifiedRequest extends QueuedRequest {
  readonly onWait?: ((wait: Wait) => void) | undefined
  /** The latest time that `onWait` was called with. */
  waitsUntil: number
}

/**
 * Tells requests until when they wait: each new one, and the others of its priority only when their time moves later.
 *
 * @returns a function to call with why each priority waits, and with the time now (epoch ms)
 */
export function createWaitNotifier<Request extends NotifiedRequest>(
  queue: RequestQueue<Request>,
): (refusals: ReadonlyMap<Priority, LaneRefusal>, now: number) => void {
  const latest = { user: 0, background: 0 }

  return (refusals, now) => {
    for (const [priority, { notBefore: until }] of refusals) {
      if (until <= now) continue // it waits for responses only
      const { requests, arrivals } = queue[priority]
      for (const request of [...(until > latest[priority] ? requests : arrivals)]) {
        arrivals.delete(request)
        if (until <= request.waitsUntil) continue
        request.waitsUntil = until
        request.onWait?.({ until, reason: 'rate-limit', isEarliest: false })
      }
      latest[priority] = Math.max(latest[priority], until)
    }
  }
}
