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
import { CallTable } from './CallTable.tsx'
import { CopyReport } from './CopyReport.tsx'
import { useGateHistory, useRecording } from './gateHistory.ts'
import { GateNotes } from './GateNotes.tsx'
import { QuotaView } from './QuotaView.tsx'
import { WaitingCalls } from './WaitingCalls.tsx'

/** The panel itself, to place anywhere. */
export function DevtoolsPanel({ client }: PetstoreDevtoolsProps): ReactElement {
  return <DevtoolsView client={useShownClient(client)} />
}

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
    // Escape closes the panel, whichever control inside has the focus. The element itself cannot be focused.
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
  /** Set if the view gets the focus when it opens. */
  readonly rootRef?: RefObject<HTMLElement | null>
  /** Called when a developer closes the panel. Without it the panel stays. */
  readonly onClose?: () => void
}

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
        {client && <CopyReport client={client} />}
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

function ClientView({ client }: { readonly client: PetstoreClient }): ReactElement | null {
  const { calls, inspection, hasStoreFailed } = useGateHistory(client)
  if (!inspection) return null
  return (
    <>
      <QuotaView inspection={inspection} />
      <WaitingCalls inspection={inspection} />
      <CallTable calls={calls} now={inspection.at} />
      <GateNotes client={client} inspection={inspection} hasStoreFailed={hasStoreFailed} />
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
