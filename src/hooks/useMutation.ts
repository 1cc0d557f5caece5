import { useCallback, useRef, useSyncExternalStore } from 'react'
import { isPetstoreError } from '../client/errors.ts'
import { invokeCallback } from '../client/invokeCallback.ts'
import { isAbortError } from '../client/isAbortError.ts'
import type { CallOptions, PetstoreClient } from '../client/PetstoreClient.ts'
import { createMutationObserver, idle } from './mutationObserver.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useKeyedState } from './useKeyedState.ts'
import { useLatestRef } from './useLatestRef.ts'
import type { UsePetstoreMutationOptions } from './UsePetstoreMutationOptions.ts'
import type { Trigger, UsePetstoreMutationResult } from './UsePetstoreMutationResult.ts'

/**
 * The common part of all mutation hooks: one observer per client, since the state of calls with one address and key must
 * not show under another, and the callbacks of the latest render.
 */
export function useMutation<Input, Output>(
  client: PetstoreClient,
  perform: (client: PetstoreClient, input: Input, options: CallOptions) => Promise<Output>,
  options: UsePetstoreMutationOptions<Input, Output>,
): UsePetstoreMutationResult<Input, Output, Output | undefined> {
  const observer = useKeyedState(client, createMutationObserver<Input, Output>)
  const state = useSyncExternalStore(observer.subscribe, observer.getSnapshot, () => idle)
  const latest = useLatestRef({ perform, options })
  const { reportFailure } = usePetstoreContext()
  const isErrorRead = useRef(false)

  const trigger = useCallback(
    async (input: Input): Promise<Output | undefined> => {
      const { perform: performLatest } = latest.current
      try {
        // The client of this render, not the latest one: input for one key must never be sent with another key.
        const data = await observer.trigger(input, (callOptions) => performLatest(client, input, callOptions))
        invokeCallback(latest.current.options.onSuccess, data, input)
        return data
      } catch (error) {
        const { onError, throwOnError = true } = latest.current.options
        if (isPetstoreError(error)) {
          invokeCallback(onError, error, input)
          reportFailure(error, throwOnError || onError !== undefined || isErrorRead.current)
        } else if (!isAbortError(error)) {
          throw error // a mistake in the code, which `throwOnError: false` must not hide
        }
        if (throwOnError) throw error
        return undefined
      }
    },
    [client, latest, observer, reportFailure],
  )

  // Both forms of `Trigger` take the input first, which TypeScript cannot see while `Input` is open.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const typedTrigger = trigger as Trigger<Input, Output | undefined>
  const isMutating = state.status === 'sending' || state.status === 'waiting'
  // The getter hides from TypeScript that `error` belongs to the same state as `status`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    ...state,
    get error() {
      isErrorRead.current = true
      return state.error
    },
    isMutating,
    trigger: typedTrigger,
    cancel: observer.cancel,
    reset: observer.reset,
  } as UsePetstoreMutationResult<Input, Output, Output | undefined>
}
