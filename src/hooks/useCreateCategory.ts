'use client'

import { unstable_serialize, useSWRConfig } from 'swr'
import * as z from 'zod/mini'
import { cacheKey } from '../client/cacheKey.ts'
import { isPetstoreError } from '../client/errors.ts'
import type { CallOptions, PetstoreClient } from '../client/PetstoreClient.ts'
import { type Category, type NewCategory, newCategorySchema } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { queryActivityOf } from './queryActivity.ts'
import { useMutation, type UsePetstoreMutationOptions, type UsePetstoreMutationResult } from './useMutation.ts'
import { pendingCategoriesOf } from './usePendingCategories.ts'

/** The options of every mutation, and `optimistic`. */
export interface UseCreateCategoryOptions extends UsePetstoreMutationOptions<NewCategory, Category> {
  /** Shows the category in `usePendingCategories` while its call is in progress. Default `false`. */
  readonly optimistic?: boolean | undefined
}

/** The result of `useCreateCategory`: `data` is the category as the service created it. */
export type UseCreateCategoryResult<Settled = Category> = UsePetstoreMutationResult<NewCategory, Category, Settled>

/**
 * Creates categories (`createCategory`). A created category joins the list of every `useCategories` without another
 * request; only a list that is loading, or failed to load, is loaded once more. After a failure whose `error.outcome` is
 * `'unknown'` or `'applied'`, the service may have created the category, or has: the list is loaded again to show it, and
 * the request is never sent twice.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function useCreateCategory(
  options?: UseCreateCategoryOptions & { readonly throwOnError?: true | undefined },
): UseCreateCategoryResult
export function useCreateCategory(options: UseCreateCategoryOptions): UseCreateCategoryResult<Category | undefined>
export function useCreateCategory(
  options: UseCreateCategoryOptions = {},
): UseCreateCategoryResult<Category | undefined> {
  const { client } = usePetstoreContext()
  const updateCategoryCache = useUpdateCategoryCache()

  async function create(
    creator: PetstoreClient,
    newCategory: NewCategory,
    callOptions: CallOptions,
  ): Promise<Category> {
    const isShown = options.optimistic === true && z.safeParse(newCategorySchema, newCategory).success
    const removePending = isShown ? pendingCategoriesOf(creator).add(newCategory) : () => {}
    let loading: Promise<unknown> | undefined
    try {
      const created = await creator.createCategory(newCategory, callOptions)
      loading = updateCategoryCache(creator, (rows) =>
        rows.some(({ id }) => id === created.id) ? rows : [...rows, created],
      )
      return created
    } catch (error) {
      if (isPetstoreError(error) && error.outcome !== 'not-applied') void updateCategoryCache(creator)
      throw error
    } finally {
      if (loading) void loading.then(removePending, removePending)
      else removePending()
    }
  }

  return useMutation(client, create, options)
}

type Rows = readonly Category[]

/**
 * Returns a function that updates a client's list of categories in the cache after the service has changed its own. It
 * sends a GET only if the list is loading or failed to load, and returns a promise if the list has to load first.
 * Without `update`, where nobody knows what has changed, it loads a list that is shown again.
 */
function useUpdateCategoryCache(): (
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
