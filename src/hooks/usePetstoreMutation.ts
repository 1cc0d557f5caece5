'use client'

import type { Operation } from '../contract/defineOperation.ts'
import { callOperation } from '../client/PetstoreClient.ts'
import { useMutation, type UsePetstoreMutationOptions, type UsePetstoreMutationResult } from './useMutation.ts'

/**
 * Calls any operation that changes something, including your own (`defineOperation`), when you call `trigger`. The
 * operation's schema checks the input before anything is sent. A request that may have been applied is never sent twice.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function usePetstoreMutation<Input, Output>(
  operation: Operation<Input, Output>,
  options: UsePetstoreMutationOptions<Input, Output> = {},
): UsePetstoreMutationResult<Input, Output> {
  return useMutation((caller, input, callOptions) => callOperation(caller, operation, input, callOptions), options)
}
