import type { ReactElement } from 'react'
import type { RateLimitState } from '../../src/index.ts'
import type { Outcome, Sent } from './simulate.ts'

const width = 600
const requestsHeight = 120
const lineHeight = 60
const gateTop = requestsHeight + lineHeight + 28
const columns = 60

const fates = ['succeeded', 'refused', 'in-cool-down', 'banned'] as const satisfies readonly Sent['fate'][]
const fateTitles: Readonly<Record<Sent['fate'], string>> = {
  succeeded: 'succeeded',
  refused: 'refused (429)',
  'in-cool-down': 'during a cool-down',
  banned: 'while banned',
}
const gateTitles: Readonly<Record<RateLimitState['status'], string>> = {
  unknown: 'not known',
  ok: 'open',
  low: 'running low',
  exhausted: 'used up',
  'cooling-down': 'cooling down',
}

interface StormChartProps {
  readonly title: string
  readonly outcome: Outcome
  /** How much time the chart shows, in ms. */
  readonly span: number
}

/** Over time: the requests sent, by what became of them; the calls that wait; the state of the gate. */
export function StormChart({ title, outcome, span }: StormChartProps): ReactElement {
  const bins = binsOf(outcome.sent, span)
  const most = Math.max(1, ...bins.map((bin) => fates.reduce((sum, fate) => sum + bin[fate], 0)))
  const mostWaiting = Math.max(1, ...outcome.moments.map(({ waiting }) => waiting))
  const x = (at: number) => (at / span) * width
  const line = outcome.moments
    .map(({ at, waiting }) => `${x(at)},${requestsHeight + 20 + lineHeight * (1 - waiting / mostWaiting)}`)
    .join(' ')
  const seen = fates.filter((fate) => outcome.sent.some((one) => one.fate === fate))

  return (
    <figure className="storm-chart">
      {/* A drawing made here: there is no file that an img could show. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <svg viewBox={`0 0 ${width} ${gateTop + 34}`} role="img" aria-label={`${title}: requests over time`}>
        {bins.map((bin, column) => {
          let below = 0
          return fates.map((fate) => {
            const height = (bin[fate] / most) * requestsHeight
            below += height
            return (
              <rect
                key={`${String(column)}-${fate}`}
                className={`storm-${fate}`}
                x={(column * width) / columns + 0.5}
                y={requestsHeight - below}
                width={width / columns - 1}
                height={height}
              />
            )
          })
        })}
        <line className="storm-axis" x1="0" x2={width} y1={requestsHeight} y2={requestsHeight} />
        <polyline className="storm-waiting" points={line} />
        <line
          className="storm-axis"
          x1="0"
          x2={width}
          y1={requestsHeight + 20 + lineHeight}
          y2={requestsHeight + 20 + lineHeight}
        />
        {outcome.moments.map(
          ({ at, gate }) =>
            gate && (
              <rect
                key={at}
                className={`storm-gate-${gate.status}`}
                x={x(at)}
                y={gateTop}
                width={Math.max(1, x(1_000) + 0.2)}
                height="12"
              >
                <title>{`${at / 1_000} s: ${gateTitles[gate.status]}`}</title>
              </rect>
            ),
        )}
        <text className="storm-tick" x="0" y={gateTop + 30}>
          0 s
        </text>
        <text className="storm-tick" x={width} y={gateTop + 30} textAnchor="end">
          {`${Math.round(span / 1_000)} s`}
        </text>
      </svg>
      <figcaption>
        {`Requests: up to ${most} in ${Math.round(span / columns / 100) / 10} s. `}
        {seen.map((fate) => (
          <span key={fate} className="storm-key">
            <span className={`storm-swatch storm-${fate}`} aria-hidden="true" />
            {fateTitles[fate]}
          </span>
        ))}
        {` Line: calls that wait, up to ${mostWaiting}.`}
        {outcome.moments.some(({ gate }) => gate) &&
          ' Below: the gate, green while it is open, amber when little is left, red while it is shut.'}
      </figcaption>
    </figure>
  )
}

type Bin = Record<Sent['fate'], number>

function binsOf(sent: readonly Sent[], span: number): readonly Bin[] {
  const bins = Array.from({ length: columns }, (): Bin => ({ succeeded: 0, refused: 0, 'in-cool-down': 0, banned: 0 }))
  for (const { at, fate } of sent) {
    const bin = bins[Math.min(columns - 1, Math.floor((at / span) * columns))]
    if (bin) bin[fate] += 1
  }
  return bins
}
