import type { CallOptions } from '../client/PetstoreClient.ts'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'

interface Blank {
  readonly data: undefined
  readonly error: undefined
  readonly variables: undefined
  readonly retryAt: undefined
}

/** How the latest `trigger` stands; `status` tells which of the rest is there. */
export type MutationState<Input, Output> =
  /** Not triggered yet, reset, or cancelled. */
  | (Blank & { readonly status: 'idle' })
  | (Omit<Blank, 'variables'> & { readonly status: 'sending'; readonly variables: Input })
  /** The rate limit holds the request back, until `retryAt` at least (epoch ms). */
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
  /** Settles with what becomes of this very call, whatever is triggered after it. */
  readonly trigger: (input: Input, perform: (options: CallOptions) => Promise<Output>) => Promise<Output>
  /** Aborts every call under way; each rejects with an `AbortError`. */
  readonly cancel: () => void
  /** Shows `idle` again, and nothing of the calls under way, which go on. */
  readonly reset: () => void
}

const blank: Blank = { data: undefined, error: undefined, variables: undefined, retryAt: undefined }

/** Before anything was triggered. */
export const idle: Blank & { readonly status: 'idle' } = { ...blank, status: 'idle' }

/** Watches the calls of one mutation hook, and shows how the latest stands. */
export function createMutationObserver<Input, Output>(): MutationObserver<Input, Output> {
  const listeners = new Set<() => void>()
  const underWay = new Set<AbortController>()
  let state: MutationState<Input, Output> = idle
  let latest: AbortController | undefined

  function show(next: MutationState<Input, Output>): void {
    state = next
    for (const listener of [...listeners]) listener()
  }

  return {
    getSnapshot: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    trigger: async (variables, perform) => {
      const mine = new AbortController()
      const showMine = (next: MutationState<Input, Output>) => {
        if (latest === mine && underWay.has(mine)) show(next)
      }
      underWay.add(mine)
      latest = mine
      show({ ...blank, status: 'sending', variables })
      try {
        const data = await perform({
          signal: mine.signal,
          onWait: (retryAt) =>
            showMine(
              retryAt === undefined
                ? { ...blank, status: 'sending', variables }
                : { ...blank, status: 'waiting', variables, retryAt },
            ),
        })
        showMine({ ...blank, status: 'success', variables, data })
        return data
      } catch (error) {
        showMine(isPetstoreError(error) ? { ...blank, status: 'error', variables, error } : idle)
        throw error
      } finally {
        underWay.delete(mine)
      }
    },
    cancel: () => {
      for (const controller of [...underWay]) controller.abort()
    },
    reset: () => {
      latest = undefined
      show(idle)
    },
  }
}
