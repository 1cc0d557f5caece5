import { type ReactElement, useState } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { describeRecord, explainWait } from './describeRecord.ts'
import { type GateHistory, recorderOf } from './gateHistory.ts'

/** Copies all that the panel knows. Where the page may not write to the clipboard, it shows the text to copy. */
export function CopyReport({ client }: { readonly client: PetstoreClient }): ReactElement {
  const [result, setResult] = useState<{ readonly isCopied: boolean; readonly text: string }>()

  async function copy(): Promise<void> {
    const text = reportText(recorderOf(client).getSnapshot())
    const isCopied = await writeToClipboard(text)
    setResult({ isCopied, text })
  }

  return (
    <>
      <output className="petstore-devtools-quiet">
        {result && (result.isCopied ? 'Copied, without the API key.' : 'Copy the text below.')}
      </output>
      <button type="button" className="petstore-devtools-button" onClick={() => void copy()}>
        Copy as JSON
      </button>
      {result && !result.isCopied && (
        <textarea
          className="petstore-devtools-report"
          readOnly
          rows={8}
          aria-label="Report as JSON"
          value={result.text}
        />
      )}
    </>
  )
}

async function writeToClipboard(text: string): Promise<boolean> {
  // An insecure origin has no clipboard, although the type says that it is never missing.
  const clipboard: Clipboard | undefined = navigator.clipboard
  try {
    await clipboard?.writeText(text)
    return clipboard !== undefined
  } catch {
    return false
  }
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
