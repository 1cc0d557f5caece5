import type { Category } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { cacheKey } from './cacheKey.ts'
import type { CallOptions, PetstoreClient } from './PetstoreClient.ts'

/** Data by serialized key, for the `fallback` of `SWRConfig`. Plain JSON, so a server can send it to a page. */
export type PrefetchedCategories = Readonly<Record<string, readonly Category[]>>

/**
 * Loads the categories on a server, for the `fallback` of an `SWRConfig` around the provider, so that the page shows
 * them at once. Client and provider need the same `cacheScope`, so the client of a handler needs one, too. In development
 * a page warns of data that no provider of it can show.
 *
 * @throws PetstoreError, AbortError
 */
export async function prefetchCategories(client: PetstoreClient, options?: CallOptions): Promise<PrefetchedCategories> {
  const categories = await client.listCategories(options)
  const key = cacheKey(client, operations.listCategories, undefined)
  // The form in which SWR serializes a key of strings and null. Importing SWR would bring React along.
  return { [`@${key.map((part) => `${JSON.stringify(part)},`).join('')}`]: categories }
}
