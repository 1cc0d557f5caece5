import type { ReactElement } from 'react'
import { countInFlight } from '../rate-limit/windows.ts'
import { clockTime, format } from './clockTime.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'
import type { GateInspection } from '../rate-limit/inspectGate.ts'
import { tightestWindow } from './tightestWindow.ts'
import type { Timeline } from './timeline.ts'
import { TimelineChart } from './TimelineChart.tsx'

interface QuotaViewProps {
  readonly timeline: Timeline
  readonly inspection: GateInspection
}

/** How much of the quota is left, and what became of it. */
export function QuotaView({ timeline, inspection }: QuotaViewProps): ReactElement {
  const { at, record } = inspection
  const window = tightestWindow(record, at)
  const left = window && Math.max(0, window.remaining - countInFlight(record))
  return (
    <DevtoolsSection title="Quota">
      {window && left !== undefined ? (
        <p className="petstore-devtools-quota">
          {window.limit > 0 && (
            <meter
              min={0}
              low={window.limit / 5}
              optimum={window.limit}
              max={window.limit}
              value={left}
              aria-label="Requests left"
            />
          )}
          <span>
            {format.number(left)}
            {window.limit > 0 && ` of ${format.number(window.limit)}`} requests left until{' '}
            {clockTime(window.resetAt, at)}
          </span>
        </p>
      ) : (
        <p className="petstore-devtools-quiet">The service has not announced a quota.</p>
      )}
      <TimelineChart timeline={timeline} now={at} />
    </DevtoolsSection>
  )
}
