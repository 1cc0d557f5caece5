import type { Category } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { cacheKey } from './cacheKey.ts'
import type { CallOptions, PetstoreClient } from './PetstoreClient.ts'

/** What `SWRConfig` takes as `fallback`: data by the serialized key. Plain JSON, fit to go from a server to a page. */
export type PrefetchedCategories = Readonly<Record<string, readonly Category[]>>

/**
 * Loads the categories ahead, on a server, for the `fallback` of an `SWRConfig` around the provider: the page then shows
 * them at once. Client and provider need the same `cacheScope`.
 *
 * @throws PetstoreError, AbortError
 */
export async function prefetchCategories(client: PetstoreClient, options?: CallOptions): Promise<PrefetchedCategories> {
  const categories = await client.listCategories(options)
  const key = cacheKey(client, operations.listCategories, undefined)
  // As SWR writes a key of texts and null. SWR itself needs React, which is not wanted here.
  return { [`@${key.map((part) => `${JSON.stringify(part)},`).join('')}`]: categories }
}
