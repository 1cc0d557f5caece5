'use client'

import { useCallback } from 'react'
import { unstable_serialize, useSWRConfig } from 'swr'
import { cacheKey } from '../client/cacheKey.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { sharingOf } from './responseSharing.ts'
import { queryActivityOf } from './queryActivity.ts'

/**
 * Returns a function that marks the data of an operation as wrong, for example after a message of your server: those of
 * one input, or of all inputs where it is left out. What is
 * on the screen is loaded again, in the background, and stays until the response arrives. What is not is loaded when a
 * component shows it again, also while it would still count as fresh. The promise settles when everything on the screen
 * has been loaded, and never rejects: the `error` of each query shows its failure. The function stays the same as long as
 * the client stays the same. After your own mutations, the option `invalidates` of `usePetstoreMutation` does the same.
 *
 * @throws Error if used outside `PetstoreProvider`
 * @example
 * ```tsx
 * import { operations, useInvalidate } from 'petstore-react'
 *
 * function ReloadOrders() {
 *   const invalidate = useInvalidate()
 *   return <button onClick={() => void invalidate(operations.listOrders)}>Reload orders</button>
 * }
 * ```
 */
export function useInvalidate(): <Input>(operation: Operation<Input>, input?: NoInfer<Input>) => Promise<void> {
  const { client } = usePetstoreContext()
  const invalidate = useInvalidateQueries()
  return useCallback((operation, input) => invalidate(client, operation, input), [client, invalidate])
}

/** `useInvalidate` for any client. */
export function useInvalidateQueries(): (
  client: PetstoreClient,
  operation: Operation,
  input?: unknown,
) => Promise<void> {
  const { cache, mutate } = useSWRConfig()
  return useCallback(
    async (client, operation, input) => {
      const [...all] = cacheKey(client, operation, input)
      // Without the input, the serialized key is the beginning of all others.
      const beginning = unstable_serialize(input === undefined ? all.slice(0, -1) : all)
      const keys = [...cache.keys()].filter((key) => key.startsWith(beginning))
      sharingOf.get(client)?.invalidate(operation, input)
      await Promise.allSettled(
        keys.map((key) => {
          queryActivityOf(cache).invalidate(key)
          return mutate(key)
        }),
      )
    },
    [cache, mutate],
  )
}
