import { createPetstoreClient, operationMethods } from '../client/createPetstoreClient.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'
import { isDevelopment } from '../base/development.ts'
import type { RateLimitStore } from '../rate-limit/RateLimitStore.ts'
import { removeScopeEntries } from './removeScopeEntries.ts'
import { createSuspenseLoopGuard } from './suspenseLoopGuard.ts'

/** A provider's client, and what the provider needs to manage it: nothing for the app's own, which only the app closes. */
export interface ClientHandle {
  readonly client: PetstoreClient
  /** The store that the client keeps for its whole life: a new one would forget the cool-downs. */
  readonly rateLimitStore?: RateLimitStore | undefined
  /** Replaces the functions that the client calls: `apiKey`, `fetch` and `onEvent`. */
  readonly update?: (options: PetstoreClientOptions) => void
  /** Puts back the data that were removed when nobody retained the client. Safe to call in a render. */
  readonly restore?: () => void
  /** Keeps the client open until the returned function is called. A client that nobody retains is closed. */
  readonly retain?: () => () => void
  /** Holds calls back: a provider leaves, and is about to call what `retain` returned. */
  readonly hold?: () => void
}

/** A handle for a client that the provider creates. */
export interface OwnedClientHandle extends Required<ClientHandle> {
  readonly isRetained: () => boolean
  /** Whether a provider with this client has ever mounted. */
  readonly wasRetained: () => boolean
  /** Whether any request has ended, successfully or not. */
  readonly hasLoaded: () => boolean
}

interface OwnedClientHandleOptions {
  readonly options: PetstoreClientOptions
  /** For the guard against Suspense loops. */
  readonly unmountedLoads: number
  readonly onRetain?: () => void
  readonly onClose?: () => void
}

const gone = isDevelopment
  ? 'Nothing was sent: the PetstoreProvider of this client has a new address, key or scope, or is gone.'
  : 'The provider has changed or is gone.'

/** How long data that a render has put back stay if the provider does not mount, in ms. */
const restoredTime = 1_000

export function createOwnedClientHandle({
  options,
  unmountedLoads,
  onRetain,
  onClose,
}: OwnedClientHandleOptions): OwnedClientHandle {
  let latest = options
  let hasLoaded = false
  let retainCount = 0
  let wasRetained = false
  let putBack: (() => void) | undefined
  const latestKey = () => (typeof latest.apiKey === 'function' ? latest.apiKey() : (latest.apiKey ?? ''))
  /** While a provider leaves: resolves when it is known whether others retain the client. */
  let leaving: Promise<void> | undefined
  let endLeaving = () => {}
  const { client: unguarded, endDelay } = createSuspenseLoopGuard(
    createPetstoreClient({
      ...options,
      apiKey: typeof options.apiKey === 'function' ? latestKey : options.apiKey,
      fetch: async (request) => {
        await checkRetained()
        const send = latest.fetch ?? globalThis.fetch
        try {
          return await send(request)
        } finally {
          hasLoaded = true
        }
      },
      onEvent: (event) => latest.onEvent?.(event),
    }),
    unmountedLoads,
  )

  const call: PetstoreClient['call'] = async (operation, ...rest) => {
    await checkRetained()
    return unguarded.call(operation, ...rest)
  }
  const client = { ...unguarded, ...operationMethods(call), call }

  /** @throws AbortError when no provider has the client any more */
  async function checkRetained(): Promise<void> {
    // Also lets StrictMode retain again, which runs the cleanup and the effect of a provider at once.
    await leaving
    if (wasRetained && retainCount === 0) throw new DOMException(gone, 'AbortError')
  }

  function hold(): void {
    leaving ??= new Promise((resolve) => {
      endLeaving = resolve
    })
  }

  function release(): void {
    retainCount -= 1
    endLeaving()
    leaving = undefined
    queueMicrotask(() => {
      if (retainCount === 0) client.close()
    })
    setTimeout(() => {
      if (retainCount > 0) return
      onClose?.()
      // Deferred, because SWR still stores that the requests were aborted.
      setTimeout(removeEntries)
    })
  }

  /** Nobody else reads a random scope. Kept here for a hidden `<Activity>`, whose provider comes back. */
  function removeEntries(): void {
    if (retainCount > 0 || putBack || options.cacheScope !== undefined) return
    putBack = removeScopeEntries(client)
  }

  function restore(): void {
    if (!putBack) return
    putBack()
    putBack = undefined
    setTimeout(removeEntries, restoredTime)
  }

  return {
    client,
    rateLimitStore: options.rateLimitStore,
    hasLoaded: () => hasLoaded,
    isRetained: () => retainCount > 0,
    wasRetained: () => wasRetained,
    update: (newer) => {
      latest = newer
    },
    restore,
    retain: () => {
      retainCount += 1
      wasRetained = true
      endDelay?.()
      restore()
      onRetain?.()
      return release
    },
    hold,
  }
}
