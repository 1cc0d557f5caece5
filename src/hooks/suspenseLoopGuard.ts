import { developmentWarning, isDevelopment } from '../base/development.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** More unmounted loads with one fingerprint than this suggest a Suspense loop. */
const maxUnmountedLoads = 10

/** How much longer each further client delays its calls, in ms. */
const delayStep = 500

const advice =
  isDevelopment &&
  'A <PetstoreProvider> has loaded data several times without mounting. Inside a suspended tree, React renders it from ' +
    'scratch on each attempt. With new apiKey, fetch or onEvent functions it then gets a new client, which loads again, ' +
    'in an endless loop. petstore-react slows this loop down. To fix it, define the functions outside of the suspended ' +
    'components, move the provider above the <Suspense>, or set a cacheScope.'

/** A client whose calls may be delayed. */
export interface SuspenseLoopGuard {
  readonly client: PetstoreClient
  /** Ends the delay: a mounted provider is not in a loop. */
  readonly endDelay?: () => void
}

/**
 * Slows down a Suspense loop: React discards the state of a suspended tree, so a provider inside it can get a new client
 * for each attempt, and each client would send a request.
 *
 * @param unmountedLoads - how many clients with the same fingerprint have loaded data for providers that never mounted
 */
export function createSuspenseLoopGuard(client: PetstoreClient, unmountedLoads: number): SuspenseLoopGuard {
  const delay = (unmountedLoads - maxUnmountedLoads) * delayStep
  if (delay <= 0) return { client }
  if (advice) developmentWarning(advice)
  let endDelay = () => {}
  const delayed = new Promise<void>((resolve) => {
    endDelay = resolve
    setTimeout(resolve, delay)
  })
  return {
    client: {
      ...client,
      // Only loads that start during rendering can be part of a loop, and the query hooks load through `call`.
      call: async (operation, ...rest) => {
        await delayed
        return client.call(operation, ...rest)
      },
    },
    endDelay,
  }
}
