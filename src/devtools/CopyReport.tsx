import { type ReactElement, useState } from 'react'
import { useSWRConfig } from 'swr'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { cacheEntries } from './cacheEntries.ts'
import type { GateHistory } from './gateHistory.ts'
import { reportText } from './report.ts'

interface CopyReportProps {
  readonly client: PetstoreClient
  readonly history: GateHistory
}

/** Copies all that the panel knows. Where the page may not write to the clipboard, it shows the text to copy. */
export function CopyReport({ client, history }: CopyReportProps): ReactElement {
  const swr = useSWRConfig()
  const [result, setResult] = useState<{ readonly isCopied: boolean; readonly text: string }>()

  async function copy(): Promise<void> {
    const text = reportText(history, cacheEntries(swr, client.cacheScope))
    const isCopied = await writeToClipboard(text)
    setResult({ isCopied, text })
  }

  return (
    <div className="petstore-devtools-buttons">
      <button type="button" className="petstore-devtools-button" onClick={() => void copy()}>
        Copy as JSON
      </button>
      <output className="petstore-devtools-quiet">
        {result && (result.isCopied ? 'Copied, without the API key.' : 'Copy the text below.')}
      </output>
      {result && !result.isCopied && (
        <textarea
          className="petstore-devtools-report"
          readOnly
          rows={8}
          aria-label="Report as JSON"
          value={result.text}
        />
      )}
    </div>
  )
}

async function writeToClipboard(text: string): Promise<boolean> {
  // Missing on insecure origins, whatever its type says.
  const clipboard: Clipboard | undefined = navigator.clipboard
  try {
    await clipboard?.writeText(text)
    return clipboard !== undefined
  } catch {
    return false
  }
}
