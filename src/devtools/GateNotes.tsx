import type { ReactElement } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { describeRecord } from './describeRecord.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'
import { ForgetCooldown } from './ForgetCooldown.tsx'
import type { GateInspection } from '../rate-limit/inspectGate.ts'
import type { Refusal } from './timeline.ts'

interface GateNotesProps {
  readonly client: PetstoreClient
  readonly inspection: GateInspection
  readonly cause: Refusal | undefined
  readonly hasStoreFailed: boolean
}

/** What the gate knows, in sentences. */
export function GateNotes({ client, inspection, cause, hasStoreFailed }: GateNotesProps): ReactElement {
  return (
    <DevtoolsSection title="What the gate knows">
      <ul className="petstore-devtools-notes">
        {describeRecord(inspection, cause).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {hasStoreFailed && <li>The store that tabs share has failed. This tab goes on alone until it works again.</li>}
      </ul>
      <ForgetCooldown client={client} />
    </DevtoolsSection>
  )
}
