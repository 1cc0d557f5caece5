'use client'

import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { followSignal, isAbortError } from '../base/abort.ts'
import { createObservable, invokeCallback, reportAppError } from '../base/listeners.ts'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import {
  type CallArguments,
  callOperation,
  type CallOptions,
  onClear,
  type PetstoreClient,
} from '../client/PetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { CallWait } from '../rate-limit/pendingRequest.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useKeyedState, useLatestRef, useTrackedValue } from './state.ts'
import { useInvalidate } from './useInvalidate.ts'

/** The options of every mutation. */
export interface UsePetstoreMutationOptions<Input, Output> {
  /** Called when a call succeeds, before `trigger` resolves; even after the component unmounts. */
  readonly onSuccess?: ((data: Output, input: Input) => void) | undefined
  /** Called when a call fails, but not when it is canceled, before `trigger` resolves; even after the component unmounts. */
  readonly onError?: ((error: PetstoreError, input: Input) => void) | undefined
  /**
   * Operations whose data the call changes. After a success, and after a failure or cancellation if the call may have
   * been applied, their data on the screen are loaded again in the background, and other data when they are shown
   * again: as `useInvalidate` does for all inputs.
   */
  readonly invalidates?: readonly Operation[] | undefined
}

/** The options of one call: `signal` cancels this call only. */
export type TriggerOptions = Pick<CallOptions, 'signal' | 'maxWait' | 'priority'>

interface CallEnd<Data, Failure> {
  /** The output of a call that has succeeded. */
  readonly data: Data
  /** The `PetstoreError` of a call that has failed, or the `AbortError` of a canceled one. */
  readonly error: Failure
}

/** The end of one call: `data` after a success, else `error`. */
export type TriggerResult<Output> = CallEnd<Output, undefined> | CallEnd<undefined, PetstoreError | Error>

interface Fields<Input, Output> {
  /** The input of the call; `undefined` while there is none. */
  readonly variables: Input
  /** Until when the request waits, and why; only while it waits. */
  readonly wait: CallWait
  /** The result of the call; only after a success. */
  readonly data: Output
  /** Why the call failed; only after a failure. */
  readonly error: PetstoreError
}

/** A state in which the fields `Known` have a value, and the others are `undefined`. */
type State<Status, Values, Known = never> = {
  readonly [Name in keyof Values]: Name extends Known ? Values[Name] : undefined
} & {
  /** `idle`: not triggered yet, reset, or canceled. `sending`: on its way. `waiting`: the request waits. Else how it ended. */
  readonly status: Status
}

/** The state of the latest call; `status` tells which other fields have a value. */
export type MutationState<Input, Output> =
  | State<'idle', Fields<Input, Output>>
  | State<'sending', Fields<Input, Output>, 'variables'>
  | State<'waiting', Fields<Input, Output>, 'variables' | 'wait'>
  | State<'success', Fields<Input, Output>, 'variables' | 'data'>
  | State<'error', Fields<Input, Output>, 'variables' | 'error'>

/** A call that is in progress. */
export interface MutationCall<Input> {
  /** A number that no other call of this hook has, for React keys. */
  readonly id: number
  /** The input of the call. */
  readonly variables: Input
  /** Whether the request waits. */
  readonly status: 'sending' | 'waiting'
  /** While the request waits: until when, and why. */
  readonly wait: CallWait | undefined
  /** Cancels this call only. A request that was sent may have reached the service. */
  readonly cancel: () => void
}

/** A function that starts a call. It needs no input if the operation takes none. */
export type Trigger<Input, Output> = (...args: CallArguments<Input, TriggerOptions>) => Promise<TriggerResult<Output>>

/** The state of the latest call, and the functions that start and end calls. */
export type UsePetstoreMutationResult<Input, Output> = MutationState<Input, Output> & {
  /** Whether the latest call is in progress: `sending` or `waiting`. */
  readonly isMutating: boolean
  /** All calls of this hook that are in progress, oldest first. */
  readonly calls: readonly MutationCall<Input>[]
  /**
   * Starts a call. Resolves with `{ data, error }` of this call, even if another one starts later, and never rejects: it fits
   * event handlers and React's `useActionState`. A mistake in the code, such as a missing `quickstartBaseUrl`, is the
   * `error`, too, and goes to `reportError`. The function stays the same as long as the client stays the same. Once the
   * provider has another address, key or scope, or is gone, it sends nothing, and `error` is an `AbortError`.
   */
  readonly trigger: Trigger<Input, Output>
  /** Cancels all calls of this hook that are in progress. A request that was sent may have reached the service. */
  readonly cancel: () => void
  /** Returns to `idle`. Calls in progress continue, but their outcome is not shown. */
  readonly reset: () => void
}

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
  return useMutation((client, input, callOptions) => callOperation(client, operation, input, callOptions), options)
}

/**
 * The common part of all mutation hooks: the callbacks of the latest render, and the calls of one client, since the state of
 * calls with one address and key must not show under another.
 *
 * @param perform - makes the call, and after a success changes the cache as the service has changed its data
 * @param affected - what is loaded again after a failure or cancellation, if the call may have been applied
 */
export function useMutation<Input, Output>(
  perform: (client: PetstoreClient, input: Input, options: CallOptions) => Promise<Output>,
  options: UsePetstoreMutationOptions<Input, Output>,
  affected: readonly Operation[] = nothing,
): UsePetstoreMutationResult<Input, Output> {
  const { client, reportFailure } = usePetstoreContext()
  const { state, calls, begin, cancel, reset } = useKeyedState(client, createMutation<Input, Output>)
  const shown = useSyncExternalStore(state.subscribe, state.getSnapshot, () => idle)
  const latest = useLatestRef({ perform, options })
  const isErrorRead = useRef(false)
  const readCalls = useTrackedValue(calls.subscribe, calls.getSnapshot, nothing)
  const invalidateQueries = useInvalidate()
  useEffect(() => onClear(client, reset), [client, reset])

  const trigger = useCallback(
    async (input: Input, { signal, ...given }: TriggerOptions = {}): Promise<TriggerResult<Output>> => {
      const call = begin(input, signal)
      let hasLeft = false
      const onWait = (wait: CallWait | undefined) => {
        hasLeft ||= wait === undefined
        call.show(wait)
      }
      const invalidate = (...more: readonly Operation[]) => {
        const { invalidates = [] } = latest.current.options
        for (const operation of [...invalidates, ...more]) void invalidateQueries(operation)
      }
      try {
        // The client of this render, not the latest one: input for one key must never be sent with another key.
        const data = await latest.current.perform(client, input, { ...given, signal: call.signal, onWait })
        call.end({ status: 'success', data })
        invalidate()
        // Lets a component announce the success before `onSuccess`, which may remove the component.
        await Promise.resolve()
        invokeCallback(latest.current.options.onSuccess, data, input)
        return { data, error: undefined }
      } catch (error) {
        if (!isPetstoreError(error)) {
          call.end()
          if (hasLeft) invalidate(...affected)
          if (!isAbortError(error) && !signal?.aborted) reportAppError(error)
          // A signal may abort with any value.
          const reason = error instanceof Error ? error : new DOMException('Canceled.', 'AbortError')
          return { data: undefined, error: reason }
        }
        call.end({ status: 'error', error })
        if (error.outcome !== 'not-applied') invalidate(...affected)
        const { onError } = latest.current.options
        invokeCallback(onError, error, input)
        let isResultRead = onError !== undefined
        // Deferred: a component may read `error` only in a transition, which React renders when it has time.
        setTimeout(() => reportFailure(error, isResultRead || isErrorRead.current), 100)
        return {
          data: undefined,
          get error() {
            isResultRead = true
            return error
          },
        }
      }
    },
    [affected, begin, client, invalidateQueries, latest, reportFailure],
  )

  // Both forms of `Trigger` take the input first, which TypeScript cannot see while `Input` is open; and the getter hides that
  // `error` belongs to the same state as `status`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    ...shown,
    get error() {
      isErrorRead.current = true
      return shown.error
    },
    isMutating: shown.status === 'sending' || shown.status === 'waiting',
    get calls() {
      return readCalls()
    },
    trigger,
    cancel,
    reset,
  } as unknown as UsePetstoreMutationResult<Input, Output>
}

const blank = { data: undefined, error: undefined, variables: undefined, wait: undefined }
const nothing: readonly never[] = []
const idle = { ...blank, status: 'idle' } as const

/** The calls of one mutation hook. Its state is that of the latest call. */
function createMutation<Input, Output>() {
  const state = createObservable<MutationState<Input, Output>>(idle)
  /** The calls in progress, oldest first. The same array until one of them changes. */
  const calls = createObservable<readonly MutationCall<Input>[]>(nothing)
  let lastId = 0
  /** The id of the call whose state is shown. */
  let shownId = 0

  return {
    state,
    calls,
    begin: (variables: Input, signal: AbortSignal | undefined) => {
      const controller = new AbortController()
      const stopFollowing = signal && followSignal(signal, controller)
      const id = (shownId = lastId += 1)
      const sending = { ...blank, status: 'sending', variables } as const
      const setState = (next: MutationState<Input, Output>) => {
        if (shownId === id) state.set(next)
      }
      const cancel = () => controller.abort()
      calls.set([...calls.getSnapshot(), { id, variables, status: 'sending', wait: undefined, cancel }])
      setState(sending)
      return {
        signal: controller.signal,
        /** Shows whether the request waits, until the call has ended. */
        show: (wait: CallWait | undefined) => {
          if (!calls.getSnapshot().some((call) => call.id === id)) return
          setState(wait ? { ...sending, status: 'waiting', wait } : sending)
          const status = wait ? 'waiting' : 'sending'
          calls.set(calls.getSnapshot().map((call) => (call.id === id ? { ...call, status, wait } : call)))
        },
        /** Shows the outcome; `undefined` after a cancellation. */
        end: (outcome?: { status: 'success'; data: Output } | { status: 'error'; error: PetstoreError }) => {
          stopFollowing?.()
          setState(outcome ? { ...sending, ...outcome } : idle)
          calls.set(calls.getSnapshot().filter((call) => call.id !== id))
        },
      }
    },
    cancel: () => {
      for (const call of calls.getSnapshot()) call.cancel()
    },
    /** Calls in progress continue, but no longer change the state. */
    reset: () => {
      shownId = 0
      state.set(idle)
    },
  }
}
