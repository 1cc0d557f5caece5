import type { PetstoreClient } from '../client/createPetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'

/** A key in the SWR cache: readable, so nothing in it tells the API key or the address. */
export type CacheKey = readonly ['petstore', scope: string, operation: string, input: unknown]

const scopes = new WeakMap<PetstoreClient, string>()

/** Entries of one client are never shown under another: each has its own random scope. */
export function cacheKey(client: PetstoreClient, operation: Operation, input: unknown): CacheKey {
  let scope = scopes.get(client)
  if (scope === undefined) {
    scope = Math.random().toString(36).slice(2)
    scopes.set(client, scope)
  }
  return ['petstore', scope, operation.name, input ?? null]
}
