import { createListeners, type Listeners } from '../base/listeners.ts'
import type { PetstoreClient } from './PetstoreClient.ts'

/** Copies of a client, such as `{ ...client, call }`, have the same `rateLimit`. */
type ClientIdentity = Pick<PetstoreClient, 'rateLimit'>

const listenersByRateLimit = new WeakMap<PetstoreClient['rateLimit'], Listeners<void>>()

/**
 * Calls `listener` when `client.clear()` is called, so that it drops what it keeps for the client. Returns the function that
 * unsubscribes.
 */
export function onClear({ rateLimit }: ClientIdentity, listener: () => void): () => void {
  const listeners = listenersByRateLimit.get(rateLimit) ?? createListeners()
  listenersByRateLimit.set(rateLimit, listeners)
  return listeners.add(listener)
}

/** Called by `client.clear()`. */
export function notifyCleared({ rateLimit }: ClientIdentity): void {
  listenersByRateLimit.get(rateLimit)?.call()
}
