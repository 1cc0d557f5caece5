/** Knows the windows of the free plan and all units spent from them, as no real client can. */
export interface Planner {
  /** The service's clock: epoch ms. */
  readonly now: () => number
  /**
   * Takes one unit of the window at that time, or of the first later one that has a unit left.
   *
   * @param keep - how many units of each window to leave to others
   * @returns when the request may leave (epoch ms)
   */
  readonly reserve: (from: number, keep: number) => number
}

export const perMinute = 60
export const perDay = 1_000
export const minute = 60_000
export const day = 86_400_000

export function createPlanner(now: () => number): Planner & { readonly useUp: (units: number) => void } {
  const taken = new Map<number, number>()
  const floor = (time: number, per: number) => Math.floor(time / per) * per
  const takenFrom = (start: number, per: number) => taken.get(start + (per === day ? 0.5 : 0)) ?? 0
  const take = (time: number, units: number) => {
    const minuteStart = floor(time, minute)
    taken.set(minuteStart, takenFrom(minuteStart, minute) + units)
    const dayStart = floor(time, day)
    taken.set(dayStart + 0.5, takenFrom(dayStart, day) + units)
  }
  return {
    now,
    useUp: (units) => take(now(), units),
    reserve: (from, keep) => {
      let at = from
      for (;;) {
        const [minuteStart, dayStart] = [floor(at, minute), floor(at, day)]
        if (takenFrom(dayStart, day) >= perDay - keep) at = dayStart + day
        else if (takenFrom(minuteStart, minute) >= perMinute - keep) at = minuteStart + minute
        else break
      }
      take(at, 1)
      return at
    },
  }
}
