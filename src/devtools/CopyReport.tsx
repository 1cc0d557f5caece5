import { type ReactElement, useState } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { describeRecord, explainWait } from './describeRecord.ts'
import { type GateHistory, recorderOf } from './gateHistory.ts'

export function CopyReport({ client }: { readonly client: PetstoreClient }): ReactElement {
  const [result, setResult] = useState('')

  async function copy(): Promise<void> {
    const text = reportText(recorderOf(client).getSnapshot())
    try {
      await navigator.clipboard.writeText(text)
      setResult('Copied, without the API key.')
    } catch {
      // Without permission, or on an insecure origin, which has no clipboard.
      console.log(text)
      setResult('Not copied: the console has the text.')
    }
  }

  return (
    <>
      <output className="petstore-devtools-quiet">{result}</output>
      <button type="button" className="petstore-devtools-button" onClick={() => void copy()}>
        Copy as JSON
      </button>
    </>
  )
}

/** The content of the panel, as JSON text for a bug report. Contains no API key, no body, no input and no address. */
function reportText({ calls, inspection, hasStoreFailed }: GateHistory): string {
  const report = {
    at: inspection?.at,
    hasStoreFailed,
    calls,
    gate: inspection && describeRecord(inspection),
    record: inspection?.record,
    waiting: inspection?.waiting.map((call) => ({ ...call, why: explainWait(call, inspection) })),
  }
  return JSON.stringify(report, undefined, 2)
}
