import { type Cache, unstable_serialize } from 'swr'
import { isOrphanedKey } from '../client/generateScope.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { oncePerObject } from './oncePerObject.ts'

/** The SWR caches that have received data of a client. */
export const scopeCachesOf = oncePerObject<PetstoreClient, Set<Cache>>(() => new Set())

/**
 * Removes everything that the client has loaded from the SWR caches.
 *
 * @returns a function that puts it back
 */
export function removeScopeEntries(client: PetstoreClient): () => void {
  const prefix = unstable_serialize(['petstore', client.cacheScope])
  const removed = [...scopeCachesOf(client)].flatMap((cache) =>
    [...cache.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ cache, key, state: cache.get(key) })),
  )
  for (const { cache, key } of removed) cache.delete(key)
  return () => {
    for (const { cache, key, state } of removed) {
      const current = cache.get(key)
      if (state && current?.data === undefined) cache.set(key, { ...state, ...current, data: state.data })
    }
  }
}

/** Removes what earlier pages left in a cache that persists: their random scopes never come back. */
export function removeOrphanedEntries(cache: Cache): void {
  for (const key of [...cache.keys()]) if (isOrphanedKey(key)) cache.delete(key)
}
