'use client'

import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * Returns the client of the nearest `PetstoreProvider`, for calls that the hooks do not cover.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function usePetstoreClient(): PetstoreClient {
  return usePetstoreContext().client
}
