import type { Clock } from '../base/Clock.ts'
import type { LaneRefusal } from './drain.ts'
import type { Priority } from './gate.ts'
import type { QueuedRequest, RequestQueue } from './requestQueue.ts'
import type { Wait } from './Wait.ts'

export interface NotifiedRequest extends QueuedRequest {
  readonly onWait?: ((wait: Wait) => void) | undefined
  /** What `onWait` was called with last. */
  told: Wait | undefined
}

/** A wait for a response is not told before it has lasted so long, in ms: most responses are there by then. */
const unspokenTime = 1_000
/** A smaller change of a time is not told, in ms. */
const tolerance = 1_000

/**
 * Tells requests until when and why they wait: each new one, and the others when their time moves by a second, or their
 * reason changes.
 *
 * @returns a function to call with why each priority waits, and with the time now (epoch ms). It returns when to call it
 * again at the latest (epoch ms).
 */
export function createWaitNotifier<Request extends NotifiedRequest>(
  queue: RequestQueue<Request>,
  clock: Clock,
): (refusals: ReadonlyMap<Priority, LaneRefusal>, now: number) => number {
  const keys = { user: '', background: '' }

  return (refusals, now) => {
    const since = clock.monotonic() - unspokenTime
    let nextAt = Infinity
    for (const [priority, { notBefore, places, firstPlace }] of refusals) {
      const lane = queue[priority]
      const key = `${lane.reorderings} ${places.key(lane.departed - firstPlace)}`
      const waitsForResponse = notBefore <= now
      for (const request of [...(key === keys[priority] ? lane.arrivals : lane.requests)]) {
        if (waitsForResponse && request.enteredAt > since) {
          nextAt = Math.min(nextAt, now + request.enteredAt - since)
          continue
        }
        if (waitsForResponse && (request.told?.until ?? 0) > now) continue // the time that it was told is not over
        lane.arrivals.delete(request)
        const { until, ...reason } = places.at(Math.max(0, firstPlace + lane.rankOf(request)))
        const latest = Math.max(now, request.deadline - clock.monotonic() + now)
        tell(request, { ...reason, until: Math.min(until, latest) })
      }
      keys[priority] = key
    }
    return nextAt
  }
}

function tell(request: NotifiedRequest, wait: Wait): void {
  const { told } = request
  const isSame = told?.reason === wait.reason && told.isEarliest === wait.isEarliest
  if (isSame && Math.abs(wait.until - told.until) < tolerance) return
  request.told = wait
  request.onWait?.(wait)
}
