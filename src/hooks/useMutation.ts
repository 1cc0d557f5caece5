import { useCallback, useRef, useSyncExternalStore } from 'react'
import { isPetstoreError } from '../client/errors.ts'
import { invokeCallback } from '../client/invokeCallback.ts'
import { isAbortError } from '../base/abort.ts'
import type { CallOptions, PetstoreClient } from '../client/PetstoreClient.ts'
import { createMutationObserver, idle, noCalls, type TriggerOptions } from './mutationObserver.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useKeyedState } from './useKeyedState.ts'
import { useLatestRef } from './useLatestRef.ts'
import { useTrackedValue } from './useTrackedValue.ts'
import type { UsePetstoreMutationOptions } from './UsePetstoreMutationOptions.ts'
import type { Trigger, TriggerResult, UsePetstoreMutationResult } from './UsePetstoreMutationResult.ts'

type Outcome<Output> =
  | { readonly isSuccess: true; readonly data: Output }
  /** A `PetstoreError`, or an `AbortError`. */
  | { readonly isSuccess: false; readonly error: unknown }

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
  const readCalls = useTrackedValue(observer.subscribeToCalls, observer.getCalls, noCalls)

  const run = useCallback(
    async (
      input: Input,
      triggerOptions: TriggerOptions | undefined,
      isHandled: () => boolean,
    ): Promise<Outcome<Output>> => {
      const { perform: performLatest } = latest.current
      try {
        // The client of this render, not the latest one: input for one key must never be sent with another key.
        const call = (callOptions: CallOptions) => performLatest(client, input, callOptions)
        const data = await observer.trigger(input, call, triggerOptions)
        invokeCallback(latest.current.options.onSuccess, data, input)
        return { isSuccess: true, data }
      } catch (error) {
        if (isPetstoreError(error)) {
          const { onError } = latest.current.options
          invokeCallback(onError, error, input)
          reportFailure(error, isHandled() || onError !== undefined || isErrorRead.current)
        } else if (!isAbortError(error)) {
          throw error // a mistake in the code, which no option must hide
        }
        return { isSuccess: false, error }
      }
    },
    [client, latest, observer, reportFailure],
  )

  const trigger = useCallback(
    async (input: Input, callOptions?: TriggerOptions): Promise<Output | undefined> => {
      const throws = () => latest.current.options.throwOnError !== false
      const outcome = await run(input, callOptions, throws)
      if (outcome.isSuccess) return outcome.data
      if (throws()) throw outcome.error
      return undefined
    },
    [latest, run],
  )

  const triggerResult = useCallback(
    async (input: Input, callOptions?: TriggerOptions): Promise<TriggerResult<Output>> => {
      const outcome = await run(input, callOptions, () => true)
      if (outcome.isSuccess) return { data: outcome.data, error: undefined }
      return { data: undefined, error: isPetstoreError(outcome.error) ? outcome.error : undefined }
    },
    [run],
  )

  // Both forms of `Trigger` take the input first, which TypeScript cannot see while `Input` is open.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const typedTrigger = trigger as Trigger<Input, Output | undefined>
  // Both forms of `Trigger` take the input first, here too.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const typedTriggerResult = triggerResult as Trigger<Input, TriggerResult<Output>>
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
    get calls() {
      return readCalls()
    },
    trigger: typedTrigger,
    triggerResult: typedTriggerResult,
    cancel: observer.cancel,
    reset: observer.reset,
  } as UsePetstoreMutationResult<Input, Output, Output | undefined>
}
