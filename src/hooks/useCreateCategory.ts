'use client'

import { unstable_serialize, useSWRConfig } from 'swr'
import { cacheKey } from '../client/cacheKey.ts'
import type { CallOptions } from '../client/createPetstoreClient.ts'
import type { Category, NewCategory } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { pendingCategoriesOf } from './pendingCategories.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useMutation } from './useMutation.ts'
import type { UsePetstoreMutationOptions, UsePetstoreMutationResult } from './usePetstoreMutation.ts'

export interface UseCreateCategoryOptions extends UsePetstoreMutationOptions<NewCategory, Category> {
  /** Shows the category in `usePendingCategories` while its call is under way. Default `false`. */
  readonly optimistic?: boolean | undefined
}

export type UseCreateCategoryResult<Settled = Category> = UsePetstoreMutationResult<NewCategory, Category, Settled>

/**
 * Creates categories (`createCategory`). A created one joins the list of every `useCategories` without another request.
 * A failure whose `error.outcome` is `'unknown'` may have created it all the same: never sent twice, not even later.
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function useCreateCategory(
  options: UseCreateCategoryOptions & { readonly throwOnError: false },
): UseCreateCategoryResult<Category | undefined>
export function useCreateCategory(options?: UseCreateCategoryOptions): UseCreateCategoryResult
export function useCreateCategory(
  options: UseCreateCategoryOptions = {},
): UseCreateCategoryResult<Category | undefined> {
  const { client } = usePetstoreContext('useCreateCategory')
  const { cache, mutate } = useSWRConfig()

  async function create(newCategory: NewCategory, callOptions: CallOptions): Promise<Category> {
    const removePending = options.optimistic ? pendingCategoriesOf(client).add(newCategory) : () => {}
    try {
      const created = await client.createCategory(newCategory, callOptions)
      addToList(created)
      return created
    } finally {
      removePending()
    }
  }

  function addToList(created: Category): void {
    const key = cacheKey(client, operations.listCategories, undefined)
    const list = cache.get(unstable_serialize(key))
    // An answer that is on its way was asked for before: SWR drops it, and it may not have the new row.
    const revalidate = list?.data === undefined || list.isValidating === true
    void mutate<readonly Category[]>(key, (rows) => rows && [...rows.filter(({ id }) => id !== created.id), created], {
      revalidate,
    })
  }

  return useMutation(client, create, options)
}
