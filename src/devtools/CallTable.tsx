import type { ReactElement } from 'react'
import { type AttemptTrace, type CallTimes, type CallTrace, callTimes, isQueued, phases } from './callTraces.ts'
import { clockTime, shortDuration } from './clockTime.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'

interface CallTableProps {
  readonly calls: readonly CallTrace[]
  /** Epoch ms. */
  readonly now: number
}

const columns = ['Call', 'Result', 'Started', 'Attempts', 'Total', 'Where its time went']

/** The latest calls, the newest first. */
export function CallTable({ calls, now }: CallTableProps): ReactElement {
  return (
    <DevtoolsSection title="Calls">
      {calls.length === 0 ? (
        <p className="petstore-devtools-quiet">No calls yet.</p>
      ) : (
        // Arrow keys scroll only an element that has the focus, so the table can get it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section className="petstore-devtools-scroll" aria-label="Calls" tabIndex={0}>
          <table className="petstore-devtools-table">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {calls.toReversed().map((call) => (
                <CallRow key={call.callId} call={call} now={now} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </DevtoolsSection>
  )
}

interface CallRowProps {
  readonly call: CallTrace
  readonly now: number
}

function CallRow({ call, now }: CallRowProps): ReactElement {
  const { operation, startedAt, attempts, end } = call
  return (
    <tr>
      <th scope="row">{operation}</th>
      <td data-result={resultKind(call)}>{end?.result ?? (isQueued(call) ? 'waiting' : 'under way')}</td>
      <td>{clockTime(startedAt, now)}</td>
      <td>{attempts.map((attempt) => attemptText(attempt, end !== undefined)).join(', then ')}</td>
      <td>{end ? shortDuration(end.duration) : ''}</td>
      <td>{timesText(callTimes(call, now))}</td>
    </tr>
  )
}

/** Lists the time of the network, and of the other phases that took any time. */
function timesText(times: CallTimes): string {
  const shown = phases.filter((phase) => phase === 'network' || times[phase] > 0)
  return shown.map((phase) => `${phase} ${shortDuration(times[phase])}`).join(', ')
}

function resultKind({ end }: CallTrace): 'success' | 'failure' | undefined {
  if (!end || end.result === 'cancelled') return undefined
  return end.result === 'success' ? 'success' : 'failure'
}

function attemptText({ sentAt, result }: AttemptTrace, hasEnded: boolean): string {
  if (!result && sentAt === undefined) return hasEnded ? 'not sent' : 'waiting'
  if (!result) return 'no response yet'
  return 'status' in result ? String(result.status) : result.failure
}
