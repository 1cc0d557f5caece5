import type { ReactElement } from 'react'
import type { RateLimitState } from '../../src/index.ts'
import type { RequestFate, Sample, SimulatedRequest, SimulationResult } from './simulate.ts'

/* All lengths are in units of the drawing. From top to bottom: bars, line, strip of the gate, time axis. */
const width = 600
const barsHeight = 120
const lineTop = barsHeight + 20
const lineHeight = 60
const stripTop = lineTop + lineHeight + 8
const stripHeight = 12
const axisBaseline = stripTop + 30
const columnCount = 60

/** In the order in which a bar stacks them. */
const fates = ['succeeded', 'refused', 'in-cool-down', 'banned'] as const satisfies readonly RequestFate[]
const fateTitles: Readonly<Record<RequestFate, string>> = {
  succeeded: 'succeeded',
  refused: 'refused (429)',
  'in-cool-down': 'during a cool-down',
  banned: 'while banned',
}
const gateTitles: Readonly<Record<RateLimitState['status'], string>> = {
  unknown: 'unknown',
  ok: 'open',
  low: 'running low',
  exhausted: 'quota used up',
  'cooling-down': 'cooling down',
}

interface SimulationChartProps {
  readonly title: string
  readonly result: SimulationResult
  /** How much time the chart shows, in ms. */
  readonly duration: number
}

/** Over time: the requests sent, by their fate; the calls that wait; the state of the gate. */
export function SimulationChart({ title, result, duration }: SimulationChartProps): ReactElement {
  const { requests, samples } = result
  const columns = columnsOf(requests, duration)
  const maxRequests = Math.max(1, ...columns.map(totalOf))
  const maxWaiting = Math.max(1, ...samples.map(({ waitingCalls }) => waitingCalls))
  const seconds = Math.round(duration / columnCount / 100) / 10
  const xOf = (time: number) => (time / duration) * width

  return (
    <figure className="chart">
      {/* An inline drawing: there is no file that an img could show. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <svg viewBox={`0 0 ${width} ${axisBaseline + 4}`} role="img" aria-label={`${title}: requests over time`}>
        <RequestBars columns={columns} max={maxRequests} />
        <WaitingCallsCurve samples={samples} max={maxWaiting} xOf={xOf} />
        <GateStrip samples={samples} xOf={xOf} />
        <text className="chart-tick" x="0" y={axisBaseline}>
          0 s
        </text>
        <text className="chart-tick" x={width} y={axisBaseline} textAnchor="end">
          {`${Math.round(duration / 1_000)} s`}
        </text>
      </svg>
      <figcaption>
        {`Bars: up to ${maxRequests} requests in ${seconds} s. `}
        <Legend requests={requests} />
        {` Line: up to ${maxWaiting} calls waiting.`}
        {samples.some(({ rateLimit }) => rateLimit) &&
          ' Strip: the gate. Green is open, amber is running low, red is closed.'}
      </figcaption>
    </figure>
  )
}

/** Requests by their fate, in one section of the time axis. */
type Column = Readonly<Record<RequestFate, number>>

function columnsOf(requests: readonly SimulatedRequest[], duration: number): readonly Column[] {
  const columns = Array.from({ length: columnCount }, () => ({
    succeeded: 0,
    refused: 0,
    'in-cool-down': 0,
    banned: 0,
  }))
  for (const { at, fate } of requests) {
    const column = columns[Math.min(columnCount - 1, Math.floor((at / duration) * columnCount))]
    if (column) column[fate] += 1
  }
  return columns
}

const totalOf = (column: Column) => fates.reduce((sum, fate) => sum + column[fate], 0)

function RequestBars({ columns, max }: { readonly columns: readonly Column[]; readonly max: number }): ReactElement {
  const columnWidth = width / columnCount
  return (
    <>
      {columns.map((column, index) => {
        let stackHeight = 0
        return fates.map((fate) => {
          const height = (column[fate] / max) * barsHeight
          stackHeight += height
          return (
            <rect
              key={`${String(index)}-${fate}`}
              className={`chart-${fate}`}
              x={index * columnWidth + 0.5}
              y={barsHeight - stackHeight}
              width={columnWidth - 1}
              height={height}
            />
          )
        })
      })}
      <line className="chart-axis" x1="0" x2={width} y1={barsHeight} y2={barsHeight} />
    </>
  )
}

interface TimelineProps {
  readonly samples: readonly Sample[]
  readonly xOf: (time: number) => number
}

function WaitingCallsCurve({ samples, max, xOf }: TimelineProps & { readonly max: number }): ReactElement {
  const bottom = lineTop + lineHeight
  const points = samples.map(({ at, waitingCalls }) => `${xOf(at)},${bottom - lineHeight * (waitingCalls / max)}`)
  return (
    <>
      <polyline className="chart-waiting" points={points.join(' ')} />
      <line className="chart-axis" x1="0" x2={width} y1={bottom} y2={bottom} />
    </>
  )
}

/** One second after the other, in the color of the gate's state. */
function GateStrip({ samples, xOf }: TimelineProps): ReactElement {
  return (
    <>
      {samples.map(
        ({ at, rateLimit }) =>
          rateLimit && (
            <rect
              key={at}
              className={`chart-gate-${rateLimit.status}`}
              x={xOf(at)}
              y={stripTop}
              width={Math.max(1, xOf(1_000) + 0.2)}
              height={stripHeight}
            >
              <title>{`${at / 1_000} s: ${gateTitles[rateLimit.status]}`}</title>
            </rect>
          ),
      )}
    </>
  )
}

function Legend({ requests }: { readonly requests: readonly SimulatedRequest[] }): ReactElement {
  const seenFates = fates.filter((fate) => requests.some((request) => request.fate === fate))
  return (
    <>
      {seenFates.map((fate) => (
        <span key={fate} className="chart-key">
          <span className={`chart-swatch chart-${fate}`} aria-hidden="true" />
          {fateTitles[fate]}
        </span>
      ))}
    </>
  )
}
