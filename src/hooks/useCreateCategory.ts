'use client'

import * as z from 'zod/mini'
import type { CallOptions, PetstoreClient } from '../client/PetstoreClient.ts'
import { type Category, type NewCategory, newCategorySchema } from '../contract/category.ts'
import { pendingCategoriesOf } from './pendingCategories.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useUpdateCategoryCache } from './useUpdateCategoryCache.ts'
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
  const changeList = useUpdateCategoryCache()

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
      listing = changeList(creator, (rows) => (rows.some(({ id }) => id === created.id) ? rows : [...rows, created]))
      return created
    } finally {
      if (listing) void listing.then(removePending, removePending)
      else removePending()
    }
  }

  return useMutation(client, create, options)
}
