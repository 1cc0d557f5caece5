'use client'

import { useSyncExternalStore } from 'react'
import { unknownRateLimit } from '../client/clientRateLimit.ts'
import type { RateLimitState } from '../rate-limit/rateLimitState.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * Returns the known state of the key's quota. Renders again when a response, another tab, or the end of a wait changes
 * the state; never just because time passes.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function useRateLimit(): RateLimitState {
  const { rateLimit } = usePetstoreContext().client
  // The server's state would not match the page's during hydration.
  return useSyncExternalStore(rateLimit.subscribe, rateLimit.getSnapshot, () => unknownRateLimit)
}
