import type { ReactElement } from 'react'
import type { GateRecord, GateWindow } from '../rate-limit/GateRecord.ts'
import type { GateInspection } from '../rate-limit/rateLimitState.ts'
import { countInFlight, liveWindows } from '../rate-limit/windows.ts'
import { clockTime, format } from './clockTime.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'

export function QuotaView({ inspection: { at, record } }: { readonly inspection: GateInspection }): ReactElement {
  const window = tightestWindow(record, at)
  return (
    <DevtoolsSection title="Request limit">
      {window ? (
        <p>{`${quotaLeft(window, record)} requests left until ${clockTime(window.resetAt, at)}`}</p>
      ) : (
        <p className="petstore-devtools-quiet">The service has not announced a request limit.</p>
      )}
    </DevtoolsSection>
  )
}

function quotaLeft({ limit, remaining }: GateWindow, record: GateRecord): string {
  const left = format.number(Math.max(0, remaining - countInFlight(record)))
  return limit > 0 ? `${left} of ${format.number(limit)}` : left
}

/** The window with the fewest requests left, which is the first to hold requests back; `undefined` if none is known. */
export function tightestWindow(record: GateRecord, now: number): GateWindow | undefined {
  return [...liveWindows(record, now)].sort((one, other) => one.remaining - other.remaining)[0]
}
