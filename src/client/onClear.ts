import { createListeners, type Listeners } from '../base/listeners.ts'
import type { PetstoreClient } from './PetstoreClient.ts'

type Clearable = Pick<PetstoreClient, 'rateLimit'>

/** By the rate limit, which copies of a client have too. */
const allListeners = new WeakMap<PetstoreClient['rateLimit'], Listeners<void>>()

/** Calls `listener` when the client is cleared, until the returned function is called: it forgets what it keeps of the client. */
export function onClear({ rateLimit }: Clearable, listener: () => void): () => void {
  const listeners = allListeners.get(rateLimit) ?? createListeners()
  allListeners.set(rateLimit, listeners)
  return listeners.add(listener)
}

export function callClearListeners({ rateLimit }: Clearable): void {
  allListeners.get(rateLimit)?.call()
}
