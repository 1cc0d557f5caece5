import { memo, type ReactElement, useMemo } from 'react'
import { type DotScale, layOutDots } from './requestDots.ts'
import type { SimulationResult } from './simulate.ts'

interface RequestChartProps {
  readonly result: SimulationResult | undefined
  readonly scale: DotScale
  /** When windows of the quota begin, in ms. */
  readonly windowStarts: readonly number[]
  /** When the key was banned, in ms; `undefined` if it was not. */
  readonly bannedAt: number | undefined
  /** How much has been played, from 0 to 1. */
  readonly progress: number
}

/** A dot for each request over time: above the line what got through, and below it what did not. */
export function RequestChart({ result, scale, windowStarts, bannedAt, progress }: RequestChartProps): ReactElement {
  const { duration } = scale
  const isBanned = bannedAt !== undefined && bannedAt / duration <= progress
  return (
    // Time runs from left to right, whatever the direction of the text.
    <div className="lab-chart" dir="ltr" aria-hidden="true">
      {windowStarts.map((start) => (
        <span key={start} className="lab-window" style={{ insetInlineStart: percent(start / duration) }} />
      ))}
      {result && <DotDrawing result={result} scale={scale} clip={percent(1 - progress)} />}
      {progress < 1 && result && <span className="lab-playhead" style={{ insetInlineStart: percent(progress) }} />}
      {isBanned && (
        <span
          className="lab-flag"
          data-side={bannedAt / duration > 0.5 ? 'end' : 'start'}
          style={{ insetInlineStart: percent(bannedAt / duration) }}
        >
          <span>Key banned</span>
        </span>
      )}
    </div>
  )
}

export const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`

interface DotDrawingProps extends Pick<RequestChartProps, 'scale'> {
  readonly result: SimulationResult
  /** What is not shown yet, from the end. */
  readonly clip: string
}

const DotDrawing = memo(function DotDrawing({ result: { requests }, scale, clip }: DotDrawingProps): ReactElement {
  const { width, height } = scale
  const { paths, baseline } = useMemo(() => layOutDots(requests, scale), [requests, scale])
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} focusable="false">
      <line className="lab-baseline" x1="0" x2={width} y1={baseline + 0.5} y2={baseline + 0.5} />
      <g style={{ clipPath: `inset(0 ${clip} 0 0)` }}>
        {/* Gives the group the size of the chart, by which it is cut off. */}
        <rect width={width} height={height} fill="none" />
        {paths.map(({ fate, path }) => (
          <path key={fate} className={`lab-dot-${fate}`} d={path} />
        ))}
      </g>
    </svg>
  )
})
