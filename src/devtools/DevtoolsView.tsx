import { type ReactElement, type RefObject, useId } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { CacheTable } from './CacheTable.tsx'
import { CallTable } from './CallTable.tsx'
import { CopyReport } from './CopyReport.tsx'
import { FaultButtons } from './FaultButtons.tsx'
import { GateNotes } from './GateNotes.tsx'
import { QuotaView } from './QuotaView.tsx'
import { causeOf } from './timeline.ts'
import { useGateHistory } from './useGateHistory.ts'
import { WaitingCalls } from './WaitingCalls.tsx'

interface DevtoolsViewProps {
  readonly client: PetstoreClient | undefined
  readonly id?: string
  /** Set where the view takes the focus. */
  readonly rootRef?: RefObject<HTMLElement | null>
}

/** What the panel shows, wherever it is. */
export function DevtoolsView({ client, id, rootRef }: DevtoolsViewProps): ReactElement {
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
      <h2 id={titleId} className="petstore-devtools-title">
        Petstore developer tools
      </h2>
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
  const cause = inspection && causeOf(timeline, inspection.record)
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
      <FaultButtons />
    </>
  )
}
