'use client'

import { unstable_serialize, useSWRConfig } from 'swr'
import * as z from 'zod/mini'
import { cacheKey } from '../client/cacheKey.ts'
import type { CallOptions, PetstoreClient } from '../client/createPetstoreClient.ts'
import { type Category, type NewCategory, newCategorySchema } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { pendingCategoriesOf } from './pendingCategories.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useMutation } from './useMutation.ts'
import type { UsePetstoreMutationOptions, UsePetstoreMutationResult } from './usePetstoreMutation.ts'

/** The options of every mutation, and: */
export interface UseCreateCategoryOptions extends UsePetstoreMutationOptions<NewCategory, Category> {
  /** Shows the category in `usePendingCategories` while its call is under way. Default `false`. */
  readonly optimistic?: boolean | undefined
}

/** What `useCreateCategory` gives: `data` is the category as the service created it. */
export type UseCreateCategoryResult<Settled = Category> = UsePetstoreMutationResult<NewCategory, Category, Settled>

/**
 * Creates categories (`createCategory`). A created one joins the list of every `useCategories` without another request;
 * only a list that is being loaded, or could not be, is loaded once more.
 * A failure whose `error.outcome` is `'unknown'` may have created it all the same: never sent twice, not even later.
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function useCreateCategory(
  options?: UseCreateCategoryOptions & { readonly throwOnError?: true | undefined },
): UseCreateCategoryResult
export function useCreateCategory(options: UseCreateCategoryOptions): UseCreateCategoryResult<Category | undefined>
export function useCreateCategory(
  options: UseCreateCategoryOptions = {},
): UseCreateCategoryResult<Category | undefined> {
  const { client } = usePetstoreContext('useCreateCategory')
  const { cache, mutate } = useSWRConfig()

  async function create(
    creator: PetstoreClient,
    newCategory: NewCategory,
    callOptions: CallOptions,
  ): Promise<Category> {
    const isShown = options.optimistic === true && z.safeParse(newCategorySchema, newCategory).success
    const removePending = isShown ? pendingCategoriesOf(creator).add(newCategory) : () => {}
    let listing: Promise<unknown> | undefined
    try {
      const created = await creator.createCategory(newCategory, callOptions)
      listing = addToList(creator, created)
      return created
    } finally {
      if (listing) void listing.then(removePending, removePending)
      else removePending()
    }
  }

  /** Gives a promise where the list has to be loaded before it can have the new row. */
  function addToList(creator: PetstoreClient, created: Category): Promise<unknown> | undefined {
    const key = cacheKey(creator, operations.listCategories, undefined)
    const list = cache.get(unstable_serialize(key))
    // An answer that is on its way was asked for before, and may not have the new row: SWR drops it.
    if (list?.data === undefined) return mutate(key)
    const revalidate = list.isValidating === true || list.error !== undefined
    void mutate<readonly Category[]>(
      key,
      (rows = []) => (rows.some(({ id }) => id === created.id) ? rows : [...rows, created]),
      { revalidate },
    )
    return undefined
  }

  return useMutation(client, create, options)
}
