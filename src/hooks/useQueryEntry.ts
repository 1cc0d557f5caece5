import { type Cache, unstable_serialize, useSWRConfig } from 'swr'
import { type CacheKey, cacheKey } from '../client/cacheKey.ts'
import { isAbortError } from '../base/abort.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { type QueryActivity, queryActivityOf } from './queryActivity.ts'

/** The entry of the SWR cache that a query shows, as of one render. */
export interface QueryEntry {
  readonly client: PetstoreClient
  /** `null` when the input is `null`: SWR then sends no request. */
  readonly key: CacheKey | null
  /** The key as SWR stores it; empty when the input is `null`. */
  readonly serializedKey: string
  /** The app's SWR configuration, with the cache. */
  readonly appWide: ReturnType<typeof useSWRConfig>
  readonly activity: QueryActivity
  /** Whether there are no data: none in the cache, and none prepared. */
  readonly isEmpty: () => boolean
}

export function useQueryEntry<Input, Output>(
  client: PetstoreClient,
  operation: Operation<Input, Output>,
  input: Input | null | undefined,
  fallbackData: Output | undefined,
): QueryEntry {
  const appWide = useSWRConfig()
  const { cache, fallback } = appWide
  const key = input === null ? null : cacheKey(client, operation, input)
  const serializedKey = unstable_serialize(key)
  removeAbortError(cache, serializedKey)
  return {
    client,
    key,
    serializedKey,
    appWide,
    activity: queryActivityOf(cache),
    // A promise is data of a server that has not come, or that failed.
    isEmpty: () =>
      [cache.get(serializedKey)?.data, fallbackData, fallback?.[serializedKey]].every(
        (data) => data === undefined || data instanceof Promise,
      ),
  }
}

/** A request that was canceled, with its client or because nobody shows it, did not fail. With `suspense`, SWR would throw it forever. */
export function removeAbortError(cache: Cache, serializedKey: string): void {
  const state = cache.get(serializedKey)
  if (isAbortError(state?.error)) cache.set(serializedKey, { ...state, error: undefined })
}
