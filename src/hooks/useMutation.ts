import { useCallback, useRef, useSyncExternalStore } from 'react'
import { isAbortError } from '../base/abort.ts'
import { invokeCallback } from '../base/listeners.ts'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { CallOptions, PetstoreClient } from '../client/PetstoreClient.ts'
import {
  createMutationObserver,
  idle,
  type MutationCall,
  type MutationState,
  noCalls,
  type TriggerOptions,
} from './mutationObserver.ts'
import { useInvalidateQueries } from './useInvalidate.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useKeyedState, useLatestRef, useTrackedValue } from './state.ts'

/** The options of every mutation. */
export interface UsePetstoreMutationOptions<Input, Output> {
  /** Called when a call succeeds, before `trigger` resolves; even after the component unmounts. */
  readonly onSuccess?: ((data: Output, input: Input) => void) | undefined
  /**
   * Called when a call fails, before `trigger` settles; even after the component unmounts. Not called for canceled
   * calls.
   */
  readonly onError?: ((error: PetstoreError, input: Input) => void) | undefined
  /**
   * Operations whose data the call changes. Once it has succeeded, or failed or been canceled so that nobody knows whether it
   * was applied, what is on the screen of them is loaded again, in the background, and the rest when it is shown again:
   * `useInvalidate` for all inputs.
   */
  readonly invalidates?: readonly Operation[] | undefined
  /**
   * `false`: `trigger` resolves with `undefined` instead of rejecting, for event handlers that do not await it. Mistakes
   * in the code, such as a missing `quickstartBaseUrl`, still reject. Default `true`.
   */
  readonly throwOnError?: boolean | undefined
}

/** A function that starts a call. It needs no input if the operation takes none. */
export type Trigger<Input, Settled> = undefined extends Input
  ? (input?: Input, options?: TriggerOptions) => Promise<Settled>
  : (input: Input, options?: TriggerOptions) => Promise<Settled>

/** The end of one call: `data`, or `error`, or neither if the call was canceled. */
export type TriggerResult<Output> =
  | { readonly data: Output; readonly error: undefined }
  | { readonly data: undefined; readonly error: PetstoreError | undefined }

/** The state of the latest call, and the functions that start and end calls. */
export type UsePetstoreMutationResult<Input, Output, Settled = Output> = MutationState<Input, Output> & {
  /** Whether the latest call is in progress: `sending` or `waiting`. */
  readonly isMutating: boolean
  /** All calls of this hook that are in progress, oldest first. */
  readonly calls: readonly MutationCall<Input>[]
  /**
   * Starts a call. The promise settles with the outcome of this call, even if another one starts later: it rejects with
   * a `PetstoreError`, or with an `AbortError` when the call is canceled. The function stays the same as long as the
   * client stays the same. Once the provider has another address, key or scope, or is gone, it sends nothing and rejects
   * with an `AbortError`.
   */
  readonly trigger: Trigger<Input, Settled>
  /**
   * Starts a call, and resolves with its outcome, as for React's `useActionState`. It rejects only for mistakes in the
   * code, such as a missing `quickstartBaseUrl`. The function stays the same as long as the client stays the same.
   */
  readonly triggerResult: Trigger<Input, TriggerResult<Output>>
  /** Cancels all calls of this hook that are in progress. A request that was sent may have reached the service. */
  readonly cancel: () => void
  /** Returns to `idle`. Calls in progress continue, but their outcome is not shown. */
  readonly reset: () => void
}

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
  const state = useSyncExternalStore(observer.state.subscribe, observer.state.getSnapshot, () => idle)
  const latest = useLatestRef({ perform, options })
  const { reportFailure } = usePetstoreContext()
  const isErrorRead = useRef(false)
  const readCalls = useTrackedValue(observer.calls.subscribe, observer.calls.getSnapshot, noCalls)

  const invalidateQueries = useInvalidateQueries()

  const run = useCallback(
    async (
      input: Input,
      triggerOptions: TriggerOptions | undefined,
      isHandled: () => boolean,
    ): Promise<Outcome<Output>> => {
      const { perform: performLatest } = latest.current
      let hasLeft = false
      const invalidate = () => {
        for (const operation of latest.current.options.invalidates ?? []) void invalidateQueries(client, operation)
      }
      try {
        // The client of this render, not the latest one: input for one key must never be sent with another key.
        const call = ({ onWait, ...callOptions }: CallOptions) =>
          performLatest(client, input, {
            ...callOptions,
            onWait: (...wait) => {
              hasLeft ||= wait[0] === undefined
              onWait?.(...wait)
            },
          })
        const data = await observer.trigger(input, call, triggerOptions)
        invalidate()
        invokeCallback(latest.current.options.onSuccess, data, input)
        return { isSuccess: true, data }
      } catch (error) {
        if (isPetstoreError(error) ? error.outcome !== 'not-applied' : hasLeft) invalidate()
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
    [client, invalidateQueries, latest, observer, reportFailure],
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
