'use client'

import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * The client of the nearest `PetstoreProvider`, for calls outside the hooks' ways.
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function usePetstoreClient(): PetstoreClient {
  return usePetstoreContext('usePetstoreClient').client
}
