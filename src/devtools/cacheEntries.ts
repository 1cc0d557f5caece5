import { type Cache, type ScopedMutator, unstable_serialize } from 'swr'
import { isPetstoreError } from '../client/errors.ts'
import { queryActivityOf } from '../hooks/queryActivity.ts'

/** The parts of `useSWRConfig()` that reach the cache. */
export interface SwrCache {
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
  /** What went wrong; `undefined` without an error. */
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
export async function refetchEntry({ cache, mutate }: SwrCache, { key, serializedKey }: CacheEntry): Promise<boolean> {
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
