import { callOperation } from '../client/callOperation.ts'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import { invokeCallback } from '../client/invokeCallback.ts'
import { isAbortError } from '../base/abort.ts'
import type { CallOptions } from '../client/PetstoreClient.ts'
import { isDevelopment } from '../base/development.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { warnOfUnreadData } from './warnOfUnreadData.ts'
import { scopeCachesOf } from './removeScopeEntries.ts'
import { sightOfPage } from './sight.ts'
import { useLatestRef } from './useLatestRef.ts'
import { type QueryEntry, removeAbortError } from './useQueryEntry.ts'

/**
 * The fetcher for SWR. SWR does not say why it fetches, so the entry tells whether a person waits for the response.
 *
 * @param onFailure - called once for each failed request
 */
export function useQueryFetcher<Input, Output>(
  { client, key, serializedKey, appWide, activity, isEmpty }: QueryEntry,
  operation: Operation<Input, Output>,
  input: Input | null | undefined,
  onFailure: (error: PetstoreError) => void,
): () => Promise<Output> {
  const { cache, mutate } = appWide

  async function fetcher(): Promise<Output> {
    if (isDevelopment && process.env.NODE_ENV !== 'production') warnOfUnreadData(appWide.fallback)
    const isAwaited = activity.userRequested.delete(serializedKey) || isEmpty()
    const isSeen = sightOfPage().isSeen()
    const priority = isAwaited && isSeen ? 'user' : 'background'
    scopeCachesOf(client).add(cache)
    const { signal, onWait, succeed, end } = activity.start(serializedKey)
    // An operation without input takes `undefined`. SWR never fetches for `null`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const call = (options: CallOptions) => callOperation(client, operation, input as Input, { signal, ...options })
    // A call of a person that joins the request lifts it.
    const lift = () => void call({ priority: 'user' }).catch(() => {})
    const stopLifting = isAwaited && !isSeen ? sightOfPage().subscribe(lift) : () => {}
    try {
      const data = await call({ priority, onWait })
      succeed()
      return data
    } catch (error) {
      if (signal.aborted) {
        // Later, since SWR first stores the error.
        setTimeout(() => {
          removeAbortError(cache, serializedKey)
          // Whoever came back in between has joined the canceled request.
          if (activity.isRead(serializedKey) && !cache.get(serializedKey)?.isValidating) void mutate(key)
        })
        throw error
      }
      // A provider whose options change closes its old client. The new client then completes the request.
      const { current } = latest
      if (isAbortError(error) && current.client !== client && current.serializedKey === serializedKey) {
        return current.fetcher()
      }
      if (isPetstoreError(error)) invokeCallback(onFailure, error)
      throw error
    } finally {
      stopLifting()
      end()
    }
  }

  const latest = useLatestRef({ client, serializedKey, fetcher })
  return fetcher
}
