import { type ReactElement, useState } from 'react'
import { useSWRConfig } from 'swr'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { type CacheEntry, cacheEntries, refetchEntry } from './cacheEntries.ts'
import { shortDuration } from './clockTime.ts'
import { DevtoolsSection } from './DevtoolsSection.tsx'
import { ScrollableTable } from './ScrollableTable.tsx'

interface CacheTableProps {
  readonly client: PetstoreClient
  /** Epoch ms. */
  readonly now: number
}

const columns = ['Data', 'State', 'Age', 'Load again']

/** What the hooks have stored in the SWR cache for a client. */
export function CacheTable({ client, now }: CacheTableProps): ReactElement {
  const swr = useSWRConfig()
  const [unused, setUnused] = useState<string>()
  const entries = cacheEntries(swr, client.cacheScope)

  async function refetch(entry: CacheEntry): Promise<void> {
    setUnused(undefined)
    const isShown = await refetchEntry(swr, entry)
    if (!isShown) setUnused(entry.serializedKey)
  }

  return (
    <DevtoolsSection title="Cache">
      {entries.length === 0 ? (
        <p className="petstore-devtools-quiet">No hook has loaded anything.</p>
      ) : (
        <ScrollableTable label="Cache" columns={columns}>
          {entries.map((entry) => (
            <tr key={entry.serializedKey}>
              <th scope="row">{nameOf(entry)}</th>
              <td data-result={entry.status === 'failed' ? 'failure' : undefined}>{stateText(entry)}</td>
              <td>{entry.updatedAt === undefined ? '' : shortDuration(Math.max(0, now - entry.updatedAt))}</td>
              <td>
                <button
                  type="button"
                  className="petstore-devtools-button"
                  aria-label={`Refetch ${nameOf(entry)}`}
                  onClick={() => void refetch(entry)}
                >
                  Refetch
                </button>
                {unused === entry.serializedKey && ' Not on screen: no component could load it.'}
              </td>
            </tr>
          ))}
        </ScrollableTable>
      )}
    </DevtoolsSection>
  )
}

function nameOf({ operation, input }: CacheEntry): string {
  return input === null || input === undefined ? operation : `${operation} ${JSON.stringify(input)}`
}

function stateText({ status, problem }: CacheEntry): string {
  return problem === undefined ? status : `${status}: ${problem}`
}
