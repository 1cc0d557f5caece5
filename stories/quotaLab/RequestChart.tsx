import type { ReactElement } from 'react'
import { chartSize, type DotScale, layOutDots } from './requestDots.ts'
import { minuteResets, type RequestFate, type SimulationResult } from './simulate.ts'

const fateTitles: Readonly<Record<RequestFate, string>> = {
  succeeded: 'got through',
  refused: 'refused (429)',
  'in-cool-down': 'sent too early',
  banned: 'sent while banned',
}

interface RequestChartProps {
  readonly result: SimulationResult | undefined
  readonly scale: DotScale
}

/** A dot for each request: above the line what got through, below it what did not. Screen readers read the verdict instead. */
export function RequestChart({ result, scale }: RequestChartProps): ReactElement {
  const { width, height } = chartSize
  const { paths, baseline } = layOutDots(result?.requests ?? [], scale)
  return (
    <svg className="lab-chart" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {minuteResets.map((time) => (
        <path key={time} className="lab-reset" d={`M${(time / scale.duration) * width} 0V${height}`} />
      ))}
      <path stroke="currentColor" d={`M0 ${baseline + 0.5}H${width}`} />
      {paths.map(({ fate, path }) => (
        <path key={fate} fill={colorOf(fate)} d={path} />
      ))}
    </svg>
  )
}

const colorOf = (fate: RequestFate) => `var(--lab-${fate})`

/** The times below the charts: at most about six, and none in the last 3 %, where a label would not fit. */
export function TimeAxis({ duration }: DotScale): ReactElement {
  const seconds = duration / 1_000
  const step = [2, 5, 10, 20, 30].find((each) => seconds / each <= 6) ?? 60
  const times = Array.from({ length: Math.ceil((seconds * 0.97) / step) }, (_, index) => index * step)
  return (
    <ol className="lab-axis lab-quiet" aria-hidden="true">
      {times.map((time) => (
        <li key={time} style={{ insetInlineStart: `${(time / seconds) * 100}%` }}>
          {`${Math.floor(time / 60)}:${String(time % 60).padStart(2, '0')}`}
        </li>
      ))}
    </ol>
  )
}

/** What the dots of the charts mean. */
export function ChartLegend(): ReactElement {
  return (
    <ul className="lab-legend lab-quiet">
      <li>
        Each mark is a request. Above the line it got through.
        <span className="lab-reset"> At each upright line the request limit resets.</span>
      </li>
      {(Object.entries(fateTitles) as [RequestFate, string][]).map(([fate, title]) => (
        <li key={fate}>
          <svg className="lab-swatch" viewBox="0 0 10 10" aria-hidden="true">
            <path fill={colorOf(fate)} d="M0 0h10v10h-10z" />
          </svg>
          {title}
        </li>
      ))}
    </ul>
  )
}
