import type { ReactElement } from 'react'
import { type AttemptTrace, type CallTimes, type CallTrace, callTimes, isQueued } from './callTraces.ts'
import { clockTime, shortDuration } from './clockTime.ts'
import { DevtoolsSection, ScrollableTable } from './DevtoolsSection.tsx'

interface CallTableProps {
  readonly calls: readonly CallTrace[]
  /** Epoch ms. */
  readonly now: number
}

const columns = ['Call', 'Started', 'Result', 'Attempts', 'Where its time went', 'Total']

/** The parts of a bar, in the order in which they happen. */
const parts = ['key', 'queue', 'network', 'reading'] as const

/** The calls of the last minutes, the newest first. */
export function CallTable({ calls, now }: CallTableProps): ReactElement {
  const longest = Math.max(1, ...calls.map((call) => sumOf(callTimes(call, now))))
  return (
    <DevtoolsSection title="Calls">
      {calls.length === 0 ? (
        <p className="petstore-devtools-quiet">No calls in the last five minutes.</p>
      ) : (
        <>
          <ScrollableTable label="Calls" columns={columns} numbers={['Started', 'Total']}>
            {calls.toReversed().map((call) => (
              <CallRow key={call.callId} call={call} now={now} longest={longest} />
            ))}
          </ScrollableTable>
          <p className="petstore-devtools-legend">
            {parts.map((part) => (
              <span key={part} className="petstore-devtools-legend-item">
                <svg className="petstore-devtools-swatch" viewBox="0 0 1 1" aria-hidden="true">
                  <rect className={`petstore-devtools-${part}`} width="1" height="1" />
                </svg>
                {part}
              </span>
            ))}
          </p>
        </>
      )}
    </DevtoolsSection>
  )
}

const sumOf = (times: CallTimes) => parts.reduce((sum, part) => sum + times[part], 0)

interface CallRowProps {
  readonly call: CallTrace
  readonly now: number
  /** In ms; the bar of a call that took this long is full. */
  readonly longest: number
}

function CallRow({ call, now, longest }: CallRowProps): ReactElement {
  const { operation, startedAt, attempts, end } = call
  return (
    <tr>
      <th scope="row">{operation}</th>
      <td data-number>{clockTime(startedAt, now)}</td>
      <td data-result={resultKind(call)}>{end?.result ?? (isQueued(call) ? 'waiting' : 'under way')}</td>
      <td>{attempts.map((attempt) => attemptText(attempt, end !== undefined)).join(', then ')}</td>
      <td>
        <TimeBar times={callTimes(call, now)} longest={longest} />
      </td>
      <td data-number>{end ? shortDuration(end.duration) : ''}</td>
    </tr>
  )
}

/** One bar, so that the parts of a call and the calls below each other can be compared. Its title has the figures. */
function TimeBar({ times, longest }: { readonly times: CallTimes; readonly longest: number }): ReactElement {
  const text = parts.map((part) => `${part} ${shortDuration(times[part])}`).join(', ')
  const share = (part: (typeof parts)[number]) => (times[part] / longest) * 100
  const startOf = (index: number) => parts.slice(0, index).reduce((sum, part) => sum + share(part), 0)
  return (
    <svg
      className="petstore-devtools-times"
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      // An image has no parts that scale.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      {parts.map((part, index) => (
        <rect key={part} className={`petstore-devtools-${part}`} x={startOf(index)} width={share(part)} height="1" />
      ))}
    </svg>
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
