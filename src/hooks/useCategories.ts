'use client'

import { useCallback } from 'react'
import useSWR, { type KeyedMutator } from 'swr'
import type { PetstoreError } from '../client/errors.ts'
import type { Category } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import { cacheKey } from './cacheKey.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { queryOptions } from './queryOptions.ts'

/** What `useCategories` gives: SWR's result, and `refresh`. Only what is read makes the component render again. */
export interface UseCategoriesResult {
  /** All categories; `undefined` until the first answer. Stays while a later request is under way or has failed. */
  readonly data: readonly Category[] | undefined
  /** Why the last request failed; `undefined` again once one succeeds. */
  readonly error: PetstoreError | undefined
  /** Whether the first answer is being waited for. */
  readonly isLoading: boolean
  /** Whether any request is under way. */
  readonly isValidating: boolean
  /** SWR's bound `mutate`, to change the cached list. */
  readonly mutate: KeyedMutator<readonly Category[]>
  /** Asks the service again, now. Settles when the answer is in; never rejects: failures show in `error`. */
  readonly refresh: () => Promise<void>
}

/**
 * The list of categories (`listCategories`). Components that use it at the same time share one request.
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function useCategories(): UseCategoriesResult {
  const { client } = usePetstoreContext('useCategories')
  const swr = useSWR<readonly Category[], PetstoreError>(
    cacheKey(client, operations.listCategories, undefined),
    () => client.listCategories(),
    queryOptions,
  )
  const { mutate } = swr
  const refresh = useCallback(async () => {
    await mutate().catch(() => {})
  }, [mutate])

  // Getters, passed on as such: SWR renders a component again only for what it has read.
  return {
    get data() {
      return swr.data
    },
    get error() {
      return swr.error
    },
    get isLoading() {
      return swr.isLoading
    },
    get isValidating() {
      return swr.isValidating
    },
    mutate,
    refresh,
  }
}
