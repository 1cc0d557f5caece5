import { type ReactElement, useState } from 'react'
import { type Cache, type ScopedMutator, unstable_serialize, useSWRConfig } from 'swr'
import { isPetstoreError } from '../client/errors.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { queryActivityOf } from '../hooks/queryActivity.ts'
import { shortDuration } from './clockTime.ts'
import { DevtoolsSection, ScrollableTable } from './DevtoolsSection.tsx'

interface CacheTableProps {
  readonly client: PetstoreClient
  /** Epoch ms. */
  readonly now: number
}

const columns = ['Data', 'State', 'Age', 'Load again']

/** The entries of the hooks in the SWR cache for a client. */
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
        <ScrollableTable label="Cache" columns={columns} numbers={['Age']}>
          {entries.map((entry) => (
            <tr key={entry.serializedKey}>
              <th scope="row">{nameOf(entry)}</th>
              <td data-result={entry.status === 'failed' ? 'failure' : undefined}>{stateText(entry)}</td>
              <td data-number>
                {entry.updatedAt === undefined ? '' : shortDuration(Math.max(0, now - entry.updatedAt))}
              </td>
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

/** The parts of `useSWRConfig()` that reach the cache. */
interface SwrCache {
  readonly cache: Cache
  readonly mutate: ScopedMutator
}

/** An entry of the SWR cache that our hooks have written. */
export interface CacheEntry {
  readonly key: readonly unknown[]
  /** The key as SWR stores it. */
  readonly serializedKey: string
  readonly operation: string
  readonly input: unknown
  readonly status: 'loading' | 'empty' | 'ready' | 'failed'
  /** The error's kind or name; `undefined` without an error. */
  readonly problem: string | undefined
  /** When its response arrived (epoch ms); `undefined` if it was prepared, or has not arrived. */
  readonly updatedAt: number | undefined
}

/** The entries of a client, by name. */
export function cacheEntries({ cache, mutate }: SwrCache, cacheScope: string): readonly CacheEntry[] {
  const keys: (readonly unknown[])[] = []
  // The public way to see the keys as hooks have passed them. The filter selects none, so nothing changes.
  void mutate((key) => {
    if (Array.isArray(key) && key[0] === 'petstore' && key[1] === cacheScope) keys.push(key)
    return false
  })
  const activity = queryActivityOf(cache)
  return keys
    .map((key) => {
      const serializedKey = unstable_serialize(key)
      const { data, error, isValidating = false } = cache.get(serializedKey) ?? {}
      const hasData = data !== undefined
      return {
        key,
        serializedKey,
        operation: String(key[2]),
        input: key[3],
        status: isValidating
          ? ('loading' as const)
          : error === undefined
            ? hasData
              ? ('ready' as const)
              : ('empty' as const)
            : ('failed' as const),
        problem: error === undefined ? undefined : isPetstoreError(error) ? error.kind : 'unknown',
        updatedAt: hasData ? activity.updatedAt(serializedKey) : undefined,
      }
    })
    .sort((one, other) => one.operation.localeCompare(other.operation, 'en'))
}

/**
 * Loads an entry again, as `refresh()` does.
 *
 * @returns whether a component is on screen that could load it
 */
async function refetchEntry({ cache, mutate }: SwrCache, { key, serializedKey }: CacheEntry): Promise<boolean> {
  const activity = queryActivityOf(cache)
  const before = activity.startedAt(serializedKey)
  activity.userRequested.add(serializedKey)
  const release = activity.createReader(serializedKey).hold()
  try {
    await mutate(key)
    return activity.startedAt(serializedKey) !== before
  } finally {
    release()
    activity.userRequested.delete(serializedKey)
  }
}
