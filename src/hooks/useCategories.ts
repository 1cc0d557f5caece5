'use client'

import type { Category } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { usePetstoreQuery, type UsePetstoreQueryOptions, type UsePetstoreQueryResult } from './usePetstoreQuery.ts'

/** The options of every query. */
export type UseCategoriesOptions = UsePetstoreQueryOptions<readonly Category[]>

/** What `useCategories` gives: SWR's result, with `refresh` and `retryAt`. */
export type UseCategoriesResult<Data = readonly Category[] | undefined> = UsePetstoreQueryResult<
  readonly Category[],
  Data
>

/**
 * The list of categories (`listCategories`), in the order of the service. Components that use it at the same time share
 * one request; a category created with `useCreateCategory` joins the list without another.
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function useCategories(
  options: UseCategoriesOptions & { readonly suspense: true },
): UseCategoriesResult<readonly Category[]>
export function useCategories(options?: UseCategoriesOptions): UseCategoriesResult
export function useCategories(options: UseCategoriesOptions = {}): UseCategoriesResult {
  usePetstoreContext('useCategories') // first, since its error names the caller
  return usePetstoreQuery(operations.listCategories, undefined, options)
}
