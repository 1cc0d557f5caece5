import type { Clock } from './Clock.ts'
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
 * @returns a function to call with why each priority waits, and with the time now (epoch ms)
 */
export function createWaitNotifier<Request extends NotifiedRequest>(
  queue: RequestQueue<Request>,
  clock: Clock,
): (refusals: ReadonlyMap<Priority, LaneRefusal>, now: number) => void {
  const keys = { user: '', background: '' }

  return (refusals, now) => {
    const since = clock.monotonic() - unspokenTime
    for (const [priority, { notBefore, places, firstPlace }] of refusals) {
      const lane = queue[priority]
      const key = `${lane.reorderings} ${places.key(lane.departed - firstPlace)}`
      const waitsForResponse = notBefore <= now
      for (const request of [...(key === keys[priority] ? lane.arrivals : lane.requests)]) {
        // Its time has been told, or it is asked again when the wait has lasted.
        if (waitsForResponse && (request.enteredAt > since || (request.told?.until ?? 0) > now)) continue
        lane.arrivals.delete(request)
        const { until, ...reason } = places.at(Math.max(0, firstPlace + lane.rankOf(request)))
        const latest = Math.max(now, request.deadline - clock.monotonic() + now)
        tell(request, { ...reason, until: Math.min(until, latest) })
      }
      keys[priority] = key
    }
  }
}

function tell(request: NotifiedRequest, wait: Wait): void {
  const { told } = request
  const isSame = told?.reason === wait.reason && told.isEarliest === wait.isEarliest
  if (isSame && Math.abs(wait.until - told.until) < tolerance) return
  request.told = wait
  request.onWait?.(wait)
}
