'use client'

import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { PetstoreContext } from '../hooks/PetstoreContext.ts'
import type { GateInspection, WaitingCall } from '../rate-limit/rateLimitState.ts'
import { CacheTable } from './CacheTable.tsx'
import { CallTable } from './CallTable.tsx'
import { clockTime, count, shortDuration } from './clockTime.ts'
import { CopyReport } from './CopyReport.tsx'
import { explainWait } from './describeRecord.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'
import { FaultButtons } from './FaultButtons.tsx'
import { useGateHistory, useRecording } from './gateHistory.ts'
import { GateNotes } from './GateNotes.tsx'
import { QuotaView } from './QuotaView.tsx'
import { causeOf, type Refusal } from './timeline.ts'

/** The panel itself, to place anywhere. */
export function DevtoolsPanel({ client }: PetstoreDevtoolsProps): ReactElement {
  return <DevtoolsView client={useShownClient(client)} />
}

/** `petstoreDevtoolsPlugin` with the panel in every bundle. */
export const devtoolsPlugin: { readonly name: string; readonly render: ReactElement } = {
  name: 'Petstore',
  render: <DevtoolsPanel />,
}

/** The button that opens the panel. */
export function DevtoolsButton({ client }: PetstoreDevtoolsProps): ReactElement {
  const shown = useShownClient(client)
  const [isOpen, setOpen] = useState(false)
  const buttonRef = useRef<HTMLButtonElement>(null)
  const panelRef = useRef<HTMLElement>(null)
  const panelId = useId()

  useRecording(shown)
  useEffect(() => {
    if (isOpen) panelRef.current?.focus()
  }, [isOpen])

  function close(): void {
    setOpen(false)
    buttonRef.current?.focus()
  }

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen || event.defaultPrevented) return
    event.preventDefault()
    close()
  }

  return (
    // Escape closes the panel, whichever control inside has the focus. This element itself takes none.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="petstore-devtools" onKeyDown={closeOnEscape}>
      {isOpen && <DevtoolsView client={shown} id={panelId} rootRef={panelRef} onClose={close} />}
      <button
        ref={buttonRef}
        type="button"
        lang="en"
        className="petstore-devtools-toggle"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        Petstore tools
      </button>
    </div>
  )
}

interface DevtoolsViewProps {
  readonly client: PetstoreClient | undefined
  readonly id?: string
  /** Set where the view takes the focus. */
  readonly rootRef?: RefObject<HTMLElement | null>
  /** Called when a developer closes the panel. Without it the panel stays. */
  readonly onClose?: () => void
}

/** The content of the panel, wherever it is. */
function DevtoolsView({ client, id, rootRef, onClose }: DevtoolsViewProps): ReactElement {
  const titleId = useId()
  return (
    <section
      ref={rootRef}
      id={id}
      tabIndex={rootRef ? -1 : undefined}
      className="petstore-devtools-panel"
      aria-labelledby={titleId}
      lang="en"
      dir="ltr"
    >
      <div className="petstore-devtools-header">
        <h2 id={titleId} className="petstore-devtools-title">
          Petstore developer tools
        </h2>
        {onClose && (
          <button type="button" className="petstore-devtools-button" onClick={onClose}>
            Close
          </button>
        )}
      </div>
      {client ? (
        <ClientView client={client} />
      ) : (
        <p>
          No client found. Place this panel below <code>PetstoreProvider</code>, or pass a <code>client</code>.
        </p>
      )}
    </section>
  )
}

function ClientView({ client }: { readonly client: PetstoreClient }): ReactElement {
  const history = useGateHistory(client)
  const { calls, timeline, inspection, hasStoreFailed } = history
  const cause = inspection && causeOf(timeline, inspection)
  return (
    <>
      <CopyReport history={history} client={client} />
      {inspection && (
        <>
          <QuotaView timeline={timeline} inspection={inspection} />
          <WaitingCalls inspection={inspection} cause={cause} />
          <CallTable calls={calls} now={inspection.at} />
          <CacheTable client={client} now={inspection.at} />
          <GateNotes client={client} inspection={inspection} cause={cause} hasStoreFailed={hasStoreFailed} />
        </>
      )}
      <FaultButtons hasSent={calls.some(({ attempts }) => attempts.some(({ sentAt }) => sentAt !== undefined))} />
    </>
  )
}

/** The client to show: the given one, or that of the nearest provider. */
function useShownClient(client: PetstoreClient | undefined): PetstoreClient | undefined {
  const nearest = useContext(PetstoreContext)?.client
  return client ?? nearest
}

/** Where the developer tools take their data from. */
export interface PetstoreDevtoolsProps {
  /** Default: the client of the nearest `PetstoreProvider`. */
  readonly client?: PetstoreClient | undefined
}

interface WaitingCallsProps {
  readonly inspection: GateInspection
  readonly cause: Refusal | undefined
}

/** Thousands of calls may wait. */
const maxRows = 50

/** The calls that have not left, in the order in which they will, each with the reason. */
function WaitingCalls({ inspection, cause }: WaitingCallsProps): ReactElement {
  const { waiting } = inspection
  const rows = equalWaits(waiting, (call) => explainWait(call, inspection, cause))
  const hidden = rows.slice(maxRows).reduce((sum, { calls }) => sum + calls, 0)
  return (
    <DevtoolsSection title={waiting.length > 0 ? `Waiting calls (${waiting.length})` : 'Waiting calls'}>
      {waiting.length === 0 ? (
        <p className="petstore-devtools-quiet">No calls wait.</p>
      ) : (
        <ol className="petstore-devtools-waiting" aria-label="Waiting calls, the next one first">
          {rows.slice(0, maxRows).map(({ call, calls, why }) => (
            <li key={call.callId}>
              <span className="petstore-devtools-name">{call.operation}</span>
              {calls > 1 && <span>{`×\u00a0${calls}`}</span>}
              <span className="petstore-devtools-tag" data-priority={call.priority}>
                {call.priority}
              </span>
              <p className="petstore-devtools-why">{why}</p>
              <p className="petstore-devtools-quiet">{timesOf(call, inspection.at)}</p>
            </li>
          ))}
        </ol>
      )}
      {hidden > 0 && <p className="petstore-devtools-quiet">{`And ${count(hidden, 'more call')}.`}</p>}
    </DevtoolsSection>
  )
}

interface EqualWaits {
  /** The first of them. */
  readonly call: WaitingCall
  readonly calls: number
  readonly why: string
}

/** Calls in a row that wait for the same reason are one row. */
function equalWaits(waiting: readonly WaitingCall[], whyOf: (call: WaitingCall) => string): readonly EqualWaits[] {
  const rows: EqualWaits[] = []
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
