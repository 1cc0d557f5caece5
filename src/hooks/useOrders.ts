'use client'

import type { StandardSchemaV1 } from '@standard-schema/spec'
import { useMemo } from 'react'
import { defineOperation } from '../contract/defineOperation.ts'
import { operations } from '../contract/operations.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { usePetstoreQuery, type UsePetstoreQueryOptions, type UsePetstoreQueryResult } from './usePetstoreQuery.ts'

/** The options of every query, and: */
export interface UseOrdersOptions<Orders> extends UsePetstoreQueryOptions<NoInfer<Orders>> {
  /**
   * What the response looks like, by any Standard Schema: the interface document does not show it. Define it once, outside
   * of components; all that read orders share one cache.
   */
  readonly schema: StandardSchemaV1<unknown, Orders>
}

/** What `useOrders` gives: `data` is what the schema makes of the response. */
export type UseOrdersResult<Orders, Data = Orders | undefined> = UsePetstoreQueryResult<Orders, Data>

/**
 * The orders of the store (`listOrders`).
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function useOrders<Orders>(
  options: UseOrdersOptions<Orders> & { readonly suspense: true },
): UseOrdersResult<Orders, Orders>
export function useOrders<Orders>(options: UseOrdersOptions<Orders>): UseOrdersResult<Orders>
export function useOrders<Orders>({ schema, ...options }: UseOrdersOptions<Orders>): UseOrdersResult<Orders> {
  usePetstoreContext('useOrders')
  const operation = useMemo(() => defineOperation({ ...operations.listOrders, output: schema }), [schema])
  return usePetstoreQuery(operation, undefined, options)
}
