'use client'

import { useSyncExternalStore } from 'react'
import { unknownRateLimit } from '../client/clientRateLimit.ts'
import type { RateLimitState } from '../rate-limit/rateLimitState.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * What is known of the key's quota. Renders again when that changes, by a response, another tab, or because a time has
 * come; never just because time passes.
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function useRateLimit(): RateLimitState {
  const { rateLimit } = usePetstoreContext('useRateLimit').client
  // What a server knows is of no use to a page, and would not match it.
  return useSyncExternalStore(rateLimit.subscribe, rateLimit.getSnapshot, () => unknownRateLimit)
}
