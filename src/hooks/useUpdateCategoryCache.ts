import { unstable_serialize, useSWRConfig } from 'swr'
import { cacheKey } from '../client/cacheKey.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { Category } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { queryActivityOf } from './queryActivity.ts'

type Rows = readonly Category[]

/**
 * Returns a function that updates a client's list of categories in the cache after the service has changed its own. It
 * sends a GET only if the list is loading or failed to load, and returns a promise if the list has to load first.
 * Without `update`, where nobody knows what has changed, it loads a list that is shown again.
 */
export function useUpdateCategoryCache(): (
  client: PetstoreClient,
  update?: (rows: Rows) => Rows,
) => Promise<unknown> | undefined {
  const { cache, mutate } = useSWRConfig()
  return (client, update) => {
    const key = cacheKey(client, operations.listCategories, undefined)
    const serializedKey = unstable_serialize(key)
    const list = cache.get(serializedKey)
    if (list?.data === undefined || !update) {
      queryActivityOf(cache).forget(serializedKey)
      // SWR drops the response of a GET in progress, which may not contain the change.
      return mutate(key)
    }
    const revalidate = list.isValidating === true || list.error !== undefined
    void mutate<Rows>(key, (rows = []) => update(rows), { revalidate })
    return undefined
  }
}
