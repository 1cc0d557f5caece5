import { type ReactElement, useState } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { GateInspection } from '../rate-limit/rateLimitState.ts'
import { describeRecord } from './describeRecord.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'

interface GateNotesProps {
  readonly client: PetstoreClient
  readonly inspection: GateInspection
  readonly hasStoreFailed: boolean
}

export function GateNotes({ client, inspection, hasStoreFailed }: GateNotesProps): ReactElement {
  return (
    <DevtoolsSection title="What the gate knows">
      <ul className="petstore-devtools-notes">
        {describeRecord(inspection).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {hasStoreFailed && <li>The store that tabs share has failed. This tab goes on alone until it works again.</li>}
      </ul>
      <ForgetCooldown client={client} />
    </DevtoolsSection>
  )
}

/** Resets the gate. The button is in a closed section, so that people read the warning first. */
function ForgetCooldown({ client }: { readonly client: PetstoreClient }): ReactElement {
  const [problem, setProblem] = useState('')

  function forget(): void {
    setProblem('')
    client.rateLimit.reset().catch(() => setProblem('Not reset: the app gives no usable API key.'))
  }

  return (
    <details className="petstore-devtools-warning">
      <summary>Forget the cool-down</summary>
      <p>
        The gate forgets everything in all tabs, and requests leave at once. Do this only if the service has lifted the
        limit: repeated requests during a cool-down can get the API key banned.
      </p>
      <button type="button" className="petstore-devtools-button" onClick={forget}>
        Forget it
      </button>
      <output>{problem}</output>
    </details>
  )
}
