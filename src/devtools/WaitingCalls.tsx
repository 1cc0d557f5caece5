import type { ReactElement } from 'react'
import { clockTime, count, shortDuration } from './clockTime.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'
import { explainWait } from './explainWait.ts'
import type { GateInspection, WaitingCall } from '../rate-limit/inspectGate.ts'
import type { Refusal } from './timeline.ts'

interface WaitingCallsProps {
  readonly inspection: GateInspection
  readonly cause: Refusal | undefined
}

/** Thousands of calls may wait. */
const maxRows = 50

/** The calls that have not left, in the order in which they will, each with the reason. */
export function WaitingCalls({ inspection, cause }: WaitingCallsProps): ReactElement {
  const { waiting } = inspection
  const hidden = waiting.length - maxRows
  return (
    <DevtoolsSection title={waiting.length > 0 ? `Waiting calls (${waiting.length})` : 'Waiting calls'}>
      {waiting.length === 0 ? (
        <p className="petstore-devtools-quiet">No calls wait.</p>
      ) : (
        <ol className="petstore-devtools-waiting" aria-label="Waiting calls, the next one first">
          {waiting.slice(0, maxRows).map((call) => (
            <li key={call.callId}>
              <span className="petstore-devtools-name">{call.operation}</span>
              <span className="petstore-devtools-tag" data-priority={call.priority}>
                {call.priority}
              </span>
              <p className="petstore-devtools-why">{explainWait(call, inspection, cause)}</p>
              <p className="petstore-devtools-quiet">{timesOf(call, inspection.at)}</p>
            </li>
          ))}
        </ol>
      )}
      {hidden > 0 && <p className="petstore-devtools-quiet">And {count(hidden, 'more call')}.</p>}
    </DevtoolsSection>
  )
}

function timesOf({ queuedAt, retryAt, deadline }: WaitingCall, now: number): string {
  const waited = `Has waited for ${shortDuration(Math.max(0, now - queuedAt))}.`
  const next = retryAt > now ? ` Leaves at ${clockTime(retryAt, now)} at the earliest.` : ' Leaves when its turn comes.'
  const end = Number.isFinite(deadline) ? ` Fails if it would wait past ${clockTime(deadline, now)}.` : ''
  return waited + next + end
}
