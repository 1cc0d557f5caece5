import { useCallback, useInsertionEffect, useRef, useState, useSyncExternalStore } from 'react'
import { invokeCallback } from '../client/invokeCallback.ts'
import type { CallOptions, PetstoreClient } from '../client/PetstoreClient.ts'
import { isPetstoreError } from '../client/errors.ts'
import { createMutationObserver, idle, type MutationObserver } from './mutationObserver.ts'
import type { Trigger, UsePetstoreMutationOptions, UsePetstoreMutationResult } from './usePetstoreMutation.ts'

/** What every mutation hook is made of: an observer for each client, and the newest options. */
export function useMutation<Input, Output>(
  client: PetstoreClient,
  perform: (client: PetstoreClient, input: Input, options: CallOptions) => Promise<Output>,
  options: UsePetstoreMutationOptions<Input, Output>,
): UsePetstoreMutationResult<Input, Output, Output | undefined> {
  const observer = useObserver<Input, Output>(client)
  const state = useSyncExternalStore(observer.subscribe, observer.getSnapshot, () => idle)
  const latest = useRef({ perform, options })
  useInsertionEffect(() => {
    latest.current = { perform, options }
  })

  const trigger = useCallback(
    async (input: Input): Promise<Output | undefined> => {
      const { perform: performLatest } = latest.current
      try {
        // With the client of its own render: what was meant for one key is never sent with the next.
        const data = await observer.trigger(input, (callOptions) => performLatest(client, input, callOptions))
        invokeCallback(latest.current.options.onSuccess, data, input)
        return data
      } catch (error) {
        const { onError, throwOnError = true } = latest.current.options
        if (isPetstoreError(error)) invokeCallback(onError, error, input)
        else if (!isAbortError(error)) throw error // a mistake in the code, which must not go unseen
        if (throwOnError) throw error
        return undefined
      }
    },
    [client, observer],
  )

  // Both forms of a trigger take the input first, which TypeScript cannot see while it is open.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const typedTrigger = trigger as Trigger<Input, Output | undefined>
  const isMutating = state.status === 'sending' || state.status === 'waiting'
  return { ...state, isMutating, trigger: typedTrigger, cancel: observer.cancel, reset: observer.reset }
}

/** What was sent with one address and key is not shown under the next. */
function useObserver<Input, Output>(client: PetstoreClient): MutationObserver<Input, Output> {
  const [held, setHeld] = useState(() => ({ client, observer: createMutationObserver<Input, Output>() }))
  if (held.client === client) return held.observer
  const next = { client, observer: createMutationObserver<Input, Output>() }
  setHeld(next)
  return next.observer
}

function isAbortError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError'
}
