'use client'

import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * Returns the client of the nearest `PetstoreProvider`, for calls that the hooks do not cover. Once no provider uses
 * this client, because it has unmounted or its options have changed, each call rejects with an `AbortError` and sends
 * nothing. A client that you passed to the provider as `client` stays open.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function usePetstoreClient(): PetstoreClient {
  return usePetstoreContext().client
}
