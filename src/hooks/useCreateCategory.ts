'use client'

import { useSWRConfig } from 'swr'
import { isPetstoreError } from '../client/errors.ts'
import type { CallOptions, PetstoreClient } from '../client/PetstoreClient.ts'
import type { Category, NewCategory } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { readNewCategory } from '../contract/guardedSchema.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { addCategory, updateCategoryRows } from './queryActivity.ts'
import { sharingOf } from './responseSharing.ts'
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
  const { cache, mutate } = useSWRConfig()

  async function create(
    creator: PetstoreClient,
    newCategory: NewCategory,
    callOptions: CallOptions,
  ): Promise<Category> {
    const isShown = options.optimistic === true && readNewCategory(newCategory) !== undefined
    const removePending = isShown ? pendingCategoriesOf(creator).add(newCategory) : () => {}
    let loading: Promise<unknown> | undefined
    try {
      const created = await creator.createCategory(newCategory, callOptions)
      loading = updateCategoryRows(creator, cache, mutate, addCategory(created))
      return created
    } catch (error) {
      if (isPetstoreError(error) && error.outcome !== 'not-applied') {
        sharingOf.get(creator)?.invalidate(operations.listCategories)
        void updateCategoryRows(creator, cache, mutate)
      }
      throw error
    } finally {
      if (loading) void loading.then(removePending, removePending)
      else removePending()
    }
  }

  return useMutation(client, create, options)
}
