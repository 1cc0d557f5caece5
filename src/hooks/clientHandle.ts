import { createPetstoreClient } from '../client/createPetstoreClient.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'
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
  const { client, endDelay } = createSuspenseLoopGuard(
    createPetstoreClient({
      ...options,
      apiKey: typeof options.apiKey === 'function' ? latestKey : options.apiKey,
      fetch: async (request) => {
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

  function release(): void {
    retainCount -= 1
    // Deferred: StrictMode runs the cleanup and the effect again at once.
    setTimeout(() => {
      if (retainCount > 0) return
      client.close()
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
  }
}
