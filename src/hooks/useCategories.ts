'use client'

import type { Category } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { usePetstoreQuery, type UsePetstoreQueryOptions, type UsePetstoreQueryResult } from './usePetstoreQuery.ts'

/** The options of every query. */
export type UseCategoriesOptions = UsePetstoreQueryOptions<readonly Category[]>

/** The result of `useCategories`: SWR's result, with `refresh` and `wait`. */
export type UseCategoriesResult<Data = readonly Category[] | undefined> = UsePetstoreQueryResult<
  readonly Category[],
  Data
>

/**
 * Loads the list of categories (`listCategories`), in the order of the service. Components that use it at the same time
 * share one request. Changes by the hooks of this package show without another request.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function useCategories(
  options: UseCategoriesOptions & { readonly suspense: true },
): UseCategoriesResult<readonly Category[]>
export function useCategories(options?: UseCategoriesOptions): UseCategoriesResult
export function useCategories(options: UseCategoriesOptions = {}): UseCategoriesResult {
  return usePetstoreQuery(operations.listCategories, undefined, options)
}
