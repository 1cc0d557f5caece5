import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { GateInspection } from '../rate-limit/rateLimitState.ts'
import { describeRecord } from './describeRecord.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'
import type { Refusal } from './timeline.ts'

interface GateNotesProps {
  readonly client: PetstoreClient
  readonly inspection: GateInspection
  readonly cause: Refusal | undefined
  readonly hasStoreFailed: boolean
}

/** The knowledge of the gate, in sentences. */
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

/** Resets the gate, after a warning. */
function ForgetCooldown({ client }: { readonly client: PetstoreClient }): ReactElement {
  const [step, setStep] = useState<'idle' | 'asking' | 'failed'>('idle')
  const openRef = useRef<HTMLButtonElement>(null)
  const cancelRef = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  const isAsking = step === 'asking'

  // What had the focus is gone after each step.
  useEffect(() => {
    if (isAsking) cancelRef.current?.focus()
    else if (wasAsking.current) openRef.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])

  function forget(): void {
    setStep('idle')
    client.rateLimit.reset().catch(() => setStep('failed'))
  }

  if (!isAsking) {
    return (
      <div className="petstore-devtools-buttons">
        <button ref={openRef} type="button" className="petstore-devtools-button" onClick={() => setStep('asking')}>
          Forget the cool-down…
        </button>
        {step === 'failed' && <p>The gate was not reset, because the app gives no usable API key.</p>}
      </div>
    )
  }
  return (
    <fieldset className="petstore-devtools-warning">
      <legend>Forget the cool-down?</legend>
      <p>
        The gate forgets everything in all tabs, and requests leave at once. Do this only if the service has lifted the
        limit: repeated requests during a cool-down can get the API key banned.
      </p>
      <div className="petstore-devtools-buttons">
        <button type="button" className="petstore-devtools-button" onClick={forget}>
          Forget it
        </button>
        <button ref={cancelRef} type="button" className="petstore-devtools-button" onClick={() => setStep('idle')}>
          Cancel
        </button>
      </div>
    </fieldset>
  )
}
