import type { ReactElement } from 'react'
import { type AttemptTrace, type CallTrace, callTimes, isQueued } from '../client/recording.ts'
import { clockTime, shortDuration } from './clockTime.ts'
import { DevtoolsSection, ScrollableTable } from './DevtoolsSection.tsx'

interface CallTableProps {
  readonly calls: readonly CallTrace[]
  /** Epoch ms. */
  readonly now: number
}

const columns = ['Call', 'Started', 'Result', 'Attempts', 'Key', 'Queue', 'Network', 'Reading', 'Total']

/** The calls of the last minutes, the newest first. */
export function CallTable({ calls, now }: CallTableProps): ReactElement {
  return (
    <DevtoolsSection title="Calls">
      {calls.length === 0 ? (
        <p className="petstore-devtools-quiet">No calls in the last five minutes.</p>
      ) : (
        <ScrollableTable label="Calls" columns={columns}>
          {calls.toReversed().map((call) => (
            <CallRow key={call.callId} call={call} now={now} />
          ))}
        </ScrollableTable>
      )}
    </DevtoolsSection>
  )
}

function CallRow({ call, now }: { readonly call: CallTrace; readonly now: number }): ReactElement {
  const { operation, startedAt, attempts, end } = call
  const { key, queue, network, reading } = callTimes(call, now)
  return (
    <tr>
      <th scope="row">{operation}</th>
      <td>{clockTime(startedAt, now)}</td>
      <td data-result={resultKind(call)}>{end?.result ?? (isQueued(call) ? 'waiting' : 'under way')}</td>
      <td>{attempts.map((attempt) => attemptText(attempt, end !== undefined)).join(', then ')}</td>
      <td>{shortDuration(key)}</td>
      <td>{shortDuration(queue)}</td>
      <td>{shortDuration(network)}</td>
      <td>{shortDuration(reading)}</td>
      <td>{end ? shortDuration(end.duration) : ''}</td>
    </tr>
  )
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
