'use client'

import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * Returns the client of the nearest `PetstoreProvider`, for calls that the hooks do not cover. Once no provider has this
 * client any more, because its address, key or scope has changed or it is gone, each call rejects with an `AbortError`
 * and sends nothing. A client that you passed as `client` stays open.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function usePetstoreClient(): PetstoreClient {
  return usePetstoreContext().client
}
