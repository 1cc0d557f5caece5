import type { ReactElement } from 'react'
import type { GateInspection, WaitingCall } from '../rate-limit/rateLimitState.ts'
import { clockTime, count, shortDuration } from './clockTime.ts'
import { explainWait } from './describeRecord.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'

/** How many rows are shown: thousands of calls may wait, and as many rows would make the page slow. */
const maxRows = 50

/** How long a call that may leave waits for the store to note that before it has a row, in ms. */
const slowStoreTime = 1_000

/** The calls that wait, in the order in which they will leave, each with the reason. */
export function WaitingCalls({ inspection }: { readonly inspection: GateInspection }): ReactElement {
  // Most calls wait for the store for a moment only, in which a row would move all that is below it.
  const waiting = inspection.waiting.filter(
    (call) => call.reason !== 'store' || call.queuedAt + slowStoreTime <= inspection.at,
  )
  const rows = groupWaits(waiting, (call) => explainWait(call, inspection))
  const hiddenCalls = rows.slice(maxRows).reduce((sum, { calls }) => sum + calls, 0)
  return (
    <DevtoolsSection title={waiting.length > 0 ? `Waiting calls (${waiting.length})` : 'Waiting calls'}>
      {waiting.length === 0 ? (
        <p className="petstore-devtools-quiet">No calls wait.</p>
      ) : (
        <ol className="petstore-devtools-waiting" aria-label="Waiting calls, the next one first">
          {rows.slice(0, maxRows).map(({ call, calls, why }) => (
            <li key={call.callId}>
              <span className="petstore-devtools-name">{call.operation}</span>
              {calls > 1 && <span className="petstore-devtools-tag">{`×\u00a0${calls}`}</span>}
              <span className="petstore-devtools-tag">{call.priority}</span>
              <p className="petstore-devtools-why">{why}</p>
              <p className="petstore-devtools-quiet">{timesOf(call, inspection.at)}</p>
            </li>
          ))}
        </ol>
      )}
      {hiddenCalls > 0 && <p className="petstore-devtools-quiet">{`And ${count(hiddenCalls, 'more call')}.`}</p>}
    </DevtoolsSection>
  )
}

interface WaitRow {
  /** The first call of the row. */
  readonly call: WaitingCall
  /** How many calls the row stands for. */
  readonly calls: number
  readonly why: string
}

/** Joins successive calls of one operation and priority that wait for the same reason into one row. */
function groupWaits(waiting: readonly WaitingCall[], whyOf: (call: WaitingCall) => string): readonly WaitRow[] {
  const rows: WaitRow[] = []
  for (const call of waiting) {
    const why = whyOf(call)
    const last = rows.at(-1)
    const isEqual = last?.why === why && last.call.operation === call.operation && last.call.priority === call.priority
    if (isEqual) rows[rows.length - 1] = { ...last, calls: last.calls + 1 }
    else rows.push({ call, calls: 1, why })
  }
  return rows
}

function timesOf({ queuedAt, retryAt, deadline }: WaitingCall, now: number): string {
  const waited = `Has waited for ${shortDuration(Math.max(0, now - queuedAt))}.`
  const next = retryAt > now ? ` Leaves at ${clockTime(retryAt, now)} at the earliest.` : ' Leaves when its turn comes.'
  const end = Number.isFinite(deadline) ? ` Fails if it would wait past ${clockTime(deadline, now)}.` : ''
  return waited + next + end
}
