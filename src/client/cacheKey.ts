import type { Operation } from '../contract/defineOperation.ts'
import type { PetstoreClient } from './PetstoreClient.ts'

/** A key in the SWR cache: readable, so nothing in it tells the API key or the address. */
export type CacheKey = readonly ['petstore', scope: string, operation: string, input: unknown]

/** Entries of one client are never shown under another: each has a scope of its own. */
export function cacheKey({ cacheScope }: PetstoreClient, { name }: Operation, input: unknown): CacheKey {
  return ['petstore', cacheScope, name, input ?? null]
}
