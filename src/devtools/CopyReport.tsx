import { type ReactElement, useState } from 'react'
import { useSWRConfig } from 'swr'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { cacheEntries, type CacheEntry } from './CacheTable.tsx'
import { describeRecord, explainWait } from './describeRecord.ts'
import type { GateHistory } from './gateHistory.ts'
import { causeOf } from './timeline.ts'

interface CopyReportProps {
  readonly client: PetstoreClient
  readonly history: GateHistory
}

/** Copies all that the panel knows. Where the page may not write to the clipboard, it shows the text to copy. */
export function CopyReport({ client, history }: CopyReportProps): ReactElement {
  const swr = useSWRConfig()
  const [result, setResult] = useState<{ readonly isCopied: boolean; readonly text: string }>()

  async function copy(): Promise<void> {
    const text = reportText(history, cacheEntries(swr, client.scope))
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

/**
 * The content of the panel, as JSON text for a bug report. Has no API key, no body, no input, no address, and no scope,
 * which may name a user.
 */
function reportText(history: GateHistory, cache: readonly CacheEntry[]): string {
  const { calls, timeline, inspection, hasStoreFailed } = history
  const cause = inspection && causeOf(timeline, inspection)
  const report = {
    at: inspection?.at,
    hasStoreFailed,
    calls,
    gate: inspection && describeRecord(inspection, cause),
    record: inspection?.record,
    waiting: inspection?.waiting.map((call) => ({ ...call, why: explainWait(call, inspection, cause) })),
    cache: cache.map(({ operation, status, problem, updatedAt }) => ({ operation, status, problem, updatedAt })),
    timeline: { slots: timeline.slots, cooldowns: timeline.cooldowns },
  }
  return JSON.stringify(report, undefined, 2)
}
