import type { Operation } from '../contract/defineOperation.ts'
import type { PetstoreClient } from './PetstoreClient.ts'

/** A key in the SWR cache. SWR stores keys readably, so it shows neither the API key nor the address. */
export type CacheKey = readonly ['petstore', scope: string, operation: string, input: unknown]

/** Each client has a scope of its own, so data of one is never shown under another. */
export function cacheKey(
  { cacheScope }: Pick<PetstoreClient, 'cacheScope'>,
  { name }: Operation,
  input: unknown,
): CacheKey {
  return ['petstore', cacheScope, name, input ?? null]
}
