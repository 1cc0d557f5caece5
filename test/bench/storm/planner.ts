import type { Priority } from './Contender.ts'

/** Knows the windows of the free plan and all units spent, as no real client can. */
export interface Planner {
  /**
   * Resolves when the request may leave. Users come before background requests, which leave one unit of each window for
   * users; pages take turns.
   *
   * @param maxWait - in ms; rejects if the next unit for this priority is free only later
   */
  readonly enter: (pageId: string, priority: Priority, maxWait: number) => Promise<void>
  /** Counts units as spent in the current windows. */
  readonly useUp: (units: number) => void
}

export const perMinute = 60
export const perDay = 1_000
export const minute = 60_000
export const day = 86_400_000

/** How long a request takes to the service, which counts it when it arrives. In ms. */
const requestDelay = 50

const windowStart = (time: number, per: number) => Math.floor(time / per) * per

export function createPlanner(now: () => number): Planner {
  const spent = new Map<string, number>()
  const lanes = { user: new Map<string, (() => void)[]>(), background: new Map<string, (() => void)[]>() }

  const spentAt = (time: number, per: number) => spent.get(`${per} ${windowStart(time, per)}`) ?? 0
  const spend = (time: number, units: number) => {
    for (const per of [minute, day]) spent.set(`${per} ${windowStart(time, per)}`, spentAt(time, per) + units)
  }

  /** When a request may arrive. For a later window it leaves when that window starts, so that it arrives within it. */
  function nextArrival(priority: Priority): number {
    const reserved = priority === 'background' ? 1 : 0
    let at = now() + requestDelay
    for (;;) {
      if (spentAt(at, day) >= perDay - reserved) at = windowStart(at, day) + day + requestDelay
      else if (spentAt(at, minute) >= perMinute - reserved) at = windowStart(at, minute) + minute + requestDelay
      else return at
    }
  }

  let timer: ReturnType<typeof setTimeout> | undefined

  function drain(): void {
    clearTimeout(timer)
    for (const priority of ['user', 'background'] as const) {
      const lanesByPage = lanes[priority]
      for (const [pageId, lane] of lanesByPage) {
        const at = nextArrival(priority)
        const wait = at - requestDelay - now()
        if (wait > 0) {
          timer = setTimeout(drain, wait)
          return
        }
        spend(at, 1)
        lane.shift()?.()
        // A Map keeps insertion order, so the page now comes after all others.
        lanesByPage.delete(pageId)
        if (lane.length > 0) lanesByPage.set(pageId, lane)
      }
    }
  }

  return {
    useUp: (units) => spend(now(), units),
    enter: async (pageId, priority, maxWait) => {
      if (nextArrival(priority) - requestDelay - now() > maxWait) throw new Error('The wait would be too long.')
      return new Promise((resolve) => {
        const lane = lanes[priority].get(pageId)
        if (lane) lane.push(resolve)
        else lanes[priority].set(pageId, [resolve])
        drain()
      })
    },
  }
}
