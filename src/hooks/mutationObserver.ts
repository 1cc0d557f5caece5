import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import { createObservable, invokeCallback, type Observable } from '../base/listeners.ts'
import type { CallOptions } from '../client/PetstoreClient.ts'
import type { OnWait, WaitReason } from '../rate-limit/pendingRequest.ts'
import { type CallWait, callWait, noCallWait } from './CallWait.ts'

interface Blank {
  readonly data: undefined
  readonly error: undefined
  readonly variables: undefined
  readonly retryAt: undefined
  readonly waitReason: undefined
  readonly isRetryAtEarliest: false
}

/** The state of the latest call; `status` tells which other fields have a value. */
export type MutationState<Input, Output> =
  /** Not triggered yet, reset, or canceled. */
  | (Blank & { readonly status: 'idle' })
  | (Omit<Blank, 'variables'> & { readonly status: 'sending'; readonly variables: Input })
  /** The request waits until `retryAt` (epoch ms), for `waitReason`; perhaps longer if `isRetryAtEarliest`. */
  | (Omit<Blank, 'variables' | keyof CallWait> & CallWait & { readonly status: 'waiting'; readonly variables: Input })
  | (Omit<Blank, 'variables' | 'data'> & {
      readonly status: 'success'
      readonly variables: Input
      readonly data: Output
    })
  | (Omit<Blank, 'variables' | 'error'> & {
      readonly status: 'error'
      readonly variables: Input
      readonly error: PetstoreError
    })

/** A call that is in progress. */
export interface MutationCall<Input> {
  /** A number that no other call of this hook has, for React keys. */
  readonly id: number
  /** The input of the call. */
  readonly variables: Input
  /** Whether the request waits. */
  readonly status: 'sending' | 'waiting'
  /** While the request waits: when it leaves, in epoch ms. */
  readonly retryAt: number | undefined
  /** While the request waits: why. */
  readonly waitReason: WaitReason | undefined
  /** Whether the request may also leave later than `retryAt`: nobody knows yet what is left by then. */
  readonly isRetryAtEarliest: boolean
  /** Cancels this call only. A request that was sent may have reached the service. */
  readonly cancel: () => void
}

/** The options of one call. */
export interface TriggerOptions {
  /** Cancels this call only, which then rejects with an `AbortError`. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called when the request has to wait, with when it leaves (epoch ms), why it waits, and whether it may also leave later;
   * called again when one of them changes. Called with `undefined` when the request leaves.
   */
  readonly onWait?: OnWait | undefined
}

export interface MutationObserver<Input, Output> {
  /** The state of the latest call. */
  readonly state: Omit<Observable<MutationState<Input, Output>>, 'set'>
  /** The calls in progress, oldest first. The same array until one of them changes. */
  readonly calls: Omit<Observable<readonly MutationCall<Input>[]>, 'set'>
  /** The promise settles with the outcome of this call, even if another one starts later. */
  readonly trigger: (
    input: Input,
    perform: (options: CallOptions) => Promise<Output>,
    options?: TriggerOptions,
  ) => Promise<Output>
  /** Aborts every call in progress; each rejects with an `AbortError`. */
  readonly cancel: () => void
  /** Returns to `idle`. Calls in progress continue, but no longer change the state. */
  readonly reset: () => void
}

const blank: Blank = { data: undefined, error: undefined, variables: undefined, ...noCallWait }

export const noCalls: readonly never[] = []

export const idle = { ...blank, status: 'idle' } as const

/** Tracks the calls of one mutation hook. Its state is that of the latest call. */
export function createMutationObserver<Input, Output>(): MutationObserver<Input, Output> {
  const state = createObservable<MutationState<Input, Output>>(idle)
  const calls = createObservable<readonly MutationCall<Input>[]>(noCalls)
  const inProgress = new Set<AbortController>()
  let lastId = 0
  let latest: AbortController | undefined

  return {
    state,
    calls,
    trigger: async (variables, perform, { signal, onWait } = {}) => {
      const controller = new AbortController()
      const id = (lastId += 1)
      const abort = () => controller.abort()
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort)
      const setStateIfLatest = (next: MutationState<Input, Output>) => {
        if (latest === controller && inProgress.has(controller)) state.set(next)
      }
      inProgress.add(controller)
      latest = controller
      const sending = { ...blank, status: 'sending', variables } as const
      state.set(sending)
      calls.set([...calls.getSnapshot(), { id, variables, status: 'sending', ...noCallWait, cancel: abort }])
      try {
        const data = await perform({
          signal: controller.signal,
          onWait: (...told) => {
            const wait = callWait(...told)
            const waiting = wait && ({ status: 'waiting', ...wait } as const)
            setStateIfLatest(waiting ? { ...sending, ...waiting } : sending)
            const change = waiting ?? ({ status: 'sending', ...noCallWait } as const)
            calls.set(calls.getSnapshot().map((call) => (call.id === id ? { ...call, ...change } : call)))
            invokeCallback(onWait, ...told)
          },
        })
        setStateIfLatest({ ...sending, status: 'success', data })
        return data
      } catch (error) {
        setStateIfLatest(isPetstoreError(error) ? { ...sending, status: 'error', error } : idle)
        throw error
      } finally {
        inProgress.delete(controller)
        signal?.removeEventListener('abort', abort)
        calls.set(calls.getSnapshot().filter((call) => call.id !== id))
      }
    },
    cancel: () => {
      for (const controller of [...inProgress]) controller.abort()
    },
    reset: () => {
      latest = undefined
      state.set(idle)
    },
  }
}
