import type { Operation } from '../contract/defineOperation.ts'
import { cacheKey, loadedAtKey, serializeKey } from './cacheKey.ts'
import { type CallArguments, callOperation, type CallOptions, type PetstoreClient } from './PetstoreClient.ts'

/** Data by serialized key, and when they were loaded, for the provider's `prefetched`. A server can send them to a page. */
export type PrefetchedQueries = Readonly<Record<string, unknown>>

/** The options of a call that prepares data. */
export interface PrefetchOptions extends CallOptions {
  /** The `scope` of the provider that shows the data. Default: that of the client. */
  readonly scope?: string | undefined
}

/**
 * Loads the response to an operation on a server, for the provider's `prefetched`. The page shows the data at once, and
 * does not load them again while they are fresh. They are found by the `scope`: give client and provider the same one,
 * or pass that of the provider. Merge the results of several queries with `{ ...one, ...other }`.
 *
 * @example
 * const prefetched = await prefetchQuery(client, operations.listCategories, undefined, { scope: userId })
 *
 * @throws PetstoreError, AbortError
 */
export async function prefetchQuery<Input, Output>(
  client: PetstoreClient,
  operation: Operation<Input, Output>,
  ...[input, options = {}]: CallArguments<NoInfer<Input>, PrefetchOptions>
): Promise<PrefetchedQueries> {
  const { scope = client.scope } = options
  const data = await callOperation(client, operation, input, options)
  return preparedData(scope, operation, input, data, Date.now())
}

/** @param loadedAt - epoch ms */
export function preparedData(
  scope: string,
  operation: Operation,
  input: unknown,
  data: unknown,
  loadedAt: number,
): PrefetchedQueries {
  const key = serializeKey(cacheKey({ scope }, operation, input))
  return { [key]: data, [loadedAtKey(key)]: loadedAt }
}
