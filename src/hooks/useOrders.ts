'use client'

import type { StandardSchemaV1 } from '@standard-schema/spec'
import { useMemo } from 'react'
import { defineOperation } from '../contract/defineOperation.ts'
import { operations } from '../contract/operations.ts'
import { usePetstoreQuery, type UsePetstoreQueryOptions, type UsePetstoreQueryResult } from './usePetstoreQuery.ts'

/** The options of every query, and `schema`. */
export interface UseOrdersOptions<Orders> extends UsePetstoreQueryOptions<NoInfer<Orders>> {
  /**
   * Describes the response, in any Standard Schema library: the interface document does not show it. Define it once,
   * outside of components: all components that read orders share one cache entry.
   */
  readonly schema: StandardSchemaV1<unknown, Orders>
}

/** The result of `useOrders`: `data` is the output of the schema. */
export type UseOrdersResult<Orders, Data = Orders | undefined> = UsePetstoreQueryResult<Orders, Data>

/**
 * Loads the orders of the store (`listOrders`).
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function useOrders<Orders>(
  options: UseOrdersOptions<Orders> & { readonly suspense: true },
): UseOrdersResult<Orders, Orders>
export function useOrders<Orders>(options: UseOrdersOptions<Orders>): UseOrdersResult<Orders>
export function useOrders<Orders>({ schema, ...options }: UseOrdersOptions<Orders>): UseOrdersResult<Orders> {
  const operation = useMemo(() => defineOperation({ ...operations.listOrders, output: schema }), [schema])
  return usePetstoreQuery(operation, undefined, options)
}
