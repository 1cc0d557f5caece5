import { unstable_serialize, useSWRConfig } from 'swr'
import { cacheKey } from '../client/cacheKey.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { Category } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'

type Rows = readonly Category[]

/**
 * Changes a client's list of categories in the cache, after the service has changed its own: without another GET, but
 * where the list is being loaded, or could not be. Gives a promise where it has to be loaded before it is right.
 */
export function useUpdateCategoryCache(): (
  client: PetstoreClient,
  change: (rows: Rows) => Rows,
) => Promise<unknown> | undefined {
  const { cache, mutate } = useSWRConfig()
  return (client, change) => {
    const key = cacheKey(client, operations.listCategories, undefined)
    const list = cache.get(unstable_serialize(key))
    // A response that is on its way was asked for before, and may not know of the change: SWR drops it.
    if (list?.data === undefined) return mutate(key)
    const revalidate = list.isValidating === true || list.error !== undefined
    void mutate<Rows>(key, (rows = []) => change(rows), { revalidate })
    return undefined
  }
}
