import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import type { CallOptions } from '../client/PetstoreClient.ts'
import { createListeners } from '../rate-limit/listeners.ts'

interface Blank {
  readonly data: undefined
  readonly error: undefined
  readonly variables: undefined
  readonly retryAt: undefined
}

/** The state of the latest call; `status` tells which other fields have a value. */
export type MutationState<Input, Output> =
  /** Not triggered yet, reset, or canceled. */
  | (Blank & { readonly status: 'idle' })
  | (Omit<Blank, 'variables'> & { readonly status: 'sending'; readonly variables: Input })
  /** The rate limit delays the request, until `retryAt` at the earliest (epoch ms). */
  | (Omit<Blank, 'variables' | 'retryAt'> & {
      readonly status: 'waiting'
      readonly variables: Input
      readonly retryAt: number
    })
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

export interface MutationObserver<Input, Output> {
  readonly getSnapshot: () => MutationState<Input, Output>
  readonly subscribe: (listener: () => void) => () => void
  /** The promise settles with the outcome of this call, even if another one starts later. */
  readonly trigger: (input: Input, perform: (options: CallOptions) => Promise<Output>) => Promise<Output>
  /** Aborts every call in progress; each rejects with an `AbortError`. */
  readonly cancel: () => void
  /** Returns to `idle`. Calls in progress continue, but no longer change the state. */
  readonly reset: () => void
}

const blank: Blank = { data: undefined, error: undefined, variables: undefined, retryAt: undefined }

export const idle = { ...blank, status: 'idle' } as const

/** Tracks the calls of one mutation hook. Its state is that of the latest call. */
export function createMutationObserver<Input, Output>(): MutationObserver<Input, Output> {
  const listeners = createListeners()
  const inProgress = new Set<AbortController>()
  let state: MutationState<Input, Output> = idle
  let latest: AbortController | undefined

  function setState(next: MutationState<Input, Output>): void {
    state = next
    listeners.call()
  }

  return {
    getSnapshot: () => state,
    subscribe: listeners.add,
    trigger: async (variables, perform) => {
      const controller = new AbortController()
      const setStateIfLatest = (next: MutationState<Input, Output>) => {
        if (latest === controller && inProgress.has(controller)) setState(next)
      }
      inProgress.add(controller)
      latest = controller
      const sending = { ...blank, status: 'sending', variables } as const
      setState(sending)
      try {
        const data = await perform({
          signal: controller.signal,
          onWait: (retryAt) =>
            setStateIfLatest(retryAt === undefined ? sending : { ...sending, status: 'waiting', retryAt }),
        })
        setStateIfLatest({ ...sending, status: 'success', data })
        return data
      } catch (error) {
        setStateIfLatest(isPetstoreError(error) ? { ...sending, status: 'error', error } : idle)
        throw error
      } finally {
        inProgress.delete(controller)
      }
    },
    cancel: () => {
      for (const controller of [...inProgress]) controller.abort()
    },
    reset: () => {
      latest = undefined
      setState(idle)
    },
  }
}
