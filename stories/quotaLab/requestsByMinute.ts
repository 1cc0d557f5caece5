import { type RequestFate, type SimulatedRequest, timeIntoMinute } from './simulate.ts'

/** In the order in which a bar stacks them. */
export const fates = ['succeeded', 'refused', 'in-cool-down', 'banned'] as const satisfies readonly RequestFate[]

/** A time in which the number of requests in the current minute of the service does not change. Times in ms. */
export interface Step {
  readonly from: number
  readonly to: number
  readonly counts: Readonly<Record<RequestFate, number>>
}

const second = 1_000
const minute = 60_000
const none: Step['counts'] = { succeeded: 0, refused: 0, 'in-cool-down': 0, banned: 0 }

/** How many requests the current minute of the service has had, second by second. */
export function requestsByMinute(requests: readonly SimulatedRequest[], duration: number): readonly Step[] {
  const steps: Step[] = []
  let counts = none
  for (let from = 0; from < duration; from += second) {
    const to = from + second
    const startsMinute = (timeIntoMinute + from) % minute === 0
    const recent = requests.filter(({ at }) => at >= from && at < to)
    if (startsMinute) counts = none
    for (const { fate } of recent) counts = { ...counts, [fate]: counts[fate] + 1 }
    const last = steps.at(-1)
    if (last && !startsMinute && recent.length === 0) steps[steps.length - 1] = { ...last, to }
    else steps.push({ from, to, counts })
  }
  return steps
}

export const totalOf = ({ counts }: Step): number => fates.reduce((sum, fate) => sum + counts[fate], 0)

/** An area of the chart: requests of one fate, stacked from `bottom` to `top`. */
export interface ChartArea {
  readonly fate: RequestFate
  readonly from: number
  readonly to: number
  readonly bottom: number
  readonly top: number
}

/** Stacks the requests of each step by their fate. What is above the end of the axis is cut off. */
export function stackSteps(steps: readonly Step[], end: number): readonly ChartArea[] {
  const areas: ChartArea[] = []
  for (const fate of fates) {
    const fatesBelow = fates.slice(0, fates.indexOf(fate))
    for (const { from, to, counts } of steps) {
      const bottom = fatesBelow.reduce((sum, below) => sum + counts[below], 0)
      const top = Math.min(end, bottom + counts[fate])
      const last = areas.at(-1)
      if (top <= bottom) continue
      // One area instead of many beside each other, so that its pattern is not interrupted.
      const continues = last?.fate === fate && last.to === from && last.bottom === bottom && last.top === top
      if (continues) areas[areas.length - 1] = { ...last, to }
      else areas.push({ fate, from, to, bottom, top })
    }
  }
  return areas
}

/** When the minutes of the service begin, other than the first. */
export function minuteStarts(duration: number): readonly number[] {
  const starts: number[] = []
  for (let start = minute - timeIntoMinute; start < duration; start += minute) starts.push(start)
  return starts
}

/**
 * Where the axis of the requests ends, for all charts. Far above the quota it does not matter how far: the axis ends at
 * four times the quota, so that what is below it stays visible.
 */
export function axisEnd(steps: readonly Step[], quota: number): number {
  const end = roundUp(Math.max(1, ...steps.map(totalOf)))
  return quota === 0 ? end : Math.min(4 * quota, Math.max(1.5 * quota, end))
}

/** The next larger 1, 2 or 5 with zeros. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5].map((digit) => digit * power).find((candidate) => candidate >= value) ?? 10 * power
}
