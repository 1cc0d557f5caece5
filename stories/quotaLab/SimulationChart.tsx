import type { CSSProperties, ReactElement } from 'react'
import { minuteStarts, stackSteps, type Step, totalOf } from './requestsByMinute.ts'
import type { Sample } from './simulate.ts'
import { formatNumber } from './summarize.ts'

/** The axes that all charts have in common. */
export interface ChartAxes {
  /** How much time the chart shows, in ms. */
  readonly duration: number
  /** How many requests of a minute the service accepts. */
  readonly quota: number
  /** Where the axis of the requests ends. */
  readonly end: number
}

interface SimulationChartProps {
  readonly steps: readonly Step[]
  readonly samples: readonly Sample[]
  readonly axes: ChartAxes
}

/**
 * The requests in the current minute of the service over time, by their fate, and below them what the gate does. The
 * verdict and the table say the same to those who do not see it.
 */
export function SimulationChart({ steps, samples, axes }: SimulationChartProps): ReactElement {
  const { duration, quota, end } = axes
  return (
    <figure className="chart">
      <figcaption>Requests in each minute</figcaption>
      <div className="chart-drawing" aria-hidden="true">
        <div className="chart-plot">
          {stackSteps(steps, end).map((area) => (
            <div
              key={`${area.fate} ${area.from}`}
              className={`chart-area chart-${area.fate}`}
              style={{
                ...span(area, duration),
                insetBlockEnd: percent(area.bottom / end),
                blockSize: percent((area.top - area.bottom) / end),
              }}
            />
          ))}
          {minuteStarts(duration).map((start) => (
            <div key={start} className="chart-minute" style={{ insetInlineStart: percent(start / duration) }} />
          ))}
          <HighestStep steps={steps} axes={axes} />
          <div className="chart-quota" style={{ insetBlockEnd: percent(quota / end) }} />
        </div>
        <ol className="chart-axis">
          {[...new Set([0, quota, end])].map((value) => (
            <li key={value} style={{ insetBlockEnd: percent(value / end) }} data-quota={value === quota || undefined}>
              {formatNumber(value)}
            </li>
          ))}
        </ol>
        <GateStrip samples={samples} duration={duration} />
        <p className="chart-times">
          <span>0 s</span>
          <span>{`${formatNumber(duration / 1_000)} s`}</span>
        </p>
      </div>
    </figure>
  )
}

const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`

const span = ({ from, to }: Pick<Step, 'from' | 'to'>, duration: number): CSSProperties => ({
  insetInlineStart: percent(from / duration),
  inlineSize: percent((to - from) / duration),
})

/** Says how high the highest bar is, where the axis ends below it. */
function HighestStep({
  steps,
  axes: { duration, end },
}: Pick<SimulationChartProps, 'steps' | 'axes'>): ReactElement | null {
  const [highest] = steps.toSorted((one, other) => totalOf(other) - totalOf(one))
  if (!highest || totalOf(highest) <= end) return null
  const isLate = highest.from > duration / 2
  const place = isLate
    ? { insetInlineEnd: percent(1 - highest.to / duration) }
    : { insetInlineStart: percent(highest.from / duration) }
  return (
    <div className="chart-cut" style={place}>
      {formatNumber(totalOf(highest))}
    </div>
  )
}

/** What the gate does over time. Waiting is as right as sending, so neither of them is a warning. */
function GateStrip({
  samples,
  duration,
}: {
  readonly samples: readonly Sample[]
  readonly duration: number
}): ReactElement {
  if (!samples.some(({ gate }) => gate)) return <p className="chart-gate chart-no-gate">no gate</p>
  const periods: { from: number; to: number; gate: Sample['gate'] }[] = []
  for (const { at, gate } of samples) {
    const last = periods.at(-1)
    if (last && last.gate === gate) last.to = at + 1_000
    else periods.push({ from: at, to: at + 1_000, gate })
  }
  return (
    <div className="chart-gate">
      {periods.map((period) => (
        <div key={period.from} className={`chart-${period.gate}`} style={span(period, duration)} />
      ))}
    </div>
  )
}
