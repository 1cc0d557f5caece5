'use client'

import { useCallback } from 'react'
import useSWR from 'swr'
import type { PetstoreError } from '../client/errors.ts'
import { configError, isDevelopment } from '../base/development.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { isQuotaLow } from './isQuotaLow.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useErrorHandling } from './useErrorHandling.ts'
import { useClearedCache } from './useClearedCache.ts'
import type { QueryArguments, UsePetstoreQueryOptions } from './UsePetstoreQueryOptions.ts'
import type { UsePetstoreQueryResult } from './UsePetstoreQueryResult.ts'
import { usePolling } from './usePolling.ts'
import { usePreparedData } from './usePreparedData.ts'
import { usePrevious } from './usePrevious.ts'
import { useQueryConfig } from './useQueryConfig.ts'
import { useQueryEntry } from './useQueryEntry.ts'
import { useQueryFetcher } from './useQueryFetcher.ts'
import { useReader } from './useReader.ts'
import { useTrackedValue } from './useTrackedValue.ts'

/**
 * Loads the response to any operation that is `safe` to send again, as every GET is, including your own
 * (`defineOperation`), and keeps it in the app's SWR cache. Components that load the same data at the same time share one
 * request; a response counts as fresh for 30 seconds. The cache key contains the operation's name and the input, so
 * define an operation once, outside of components.
 *
 * @param input - `null` sends no request
 * @throws Error if used outside `PetstoreProvider`
 * @throws TypeError for an operation that changes something
 */
export function usePetstoreQuery<Input, Output>(
  operation: Operation<Input, Output>,
  input: NoInfer<Input>,
  options: UsePetstoreQueryOptions<NoInfer<Output>> & { readonly suspense: true },
): UsePetstoreQueryResult<Output, Output>
export function usePetstoreQuery<Input, Output>(
  operation: Operation<Input, Output>,
  ...rest: QueryArguments<NoInfer<Input>, NoInfer<Output>>
): UsePetstoreQueryResult<Output>
export function usePetstoreQuery<Input, Output>(
  operation: Operation<Input, Output>,
  input?: Input | null,
  options: UsePetstoreQueryOptions<Output> = {},
): UsePetstoreQueryResult<Output> {
  const { client, reportFailure } = usePetstoreContext()
  requireSafe(operation)
  const { fallbackData, keepPreviousData, suspense, throwOnError } = options
  const enabled = suspense === true || options.enabled !== false
  const refreshInterval = enabled ? options.refreshInterval : undefined

  const entry = useQueryEntry(client, operation, input, fallbackData)
  useClearedCache(entry, suspense)

  const { noteRead, isHandled } = useErrorHandling(entry, options)
  const fetcher = useQueryFetcher(entry, operation, input, (error) => reportFailure(error, isHandled(error)))
  const { reader, mayLoad } = useReader(entry, enabled)
  const config = useQueryConfig(entry, usePreparedData(entry), options, mayLoad)
  const swr = useSWR<Output, PetstoreError>(entry.key, fetcher, config)

  const { activity, appWide, serializedKey } = entry
  const { mutate } = swr
  const refresh = useCallback(async () => {
    if (serializedKey === '') return
    activity.userRequested.add(serializedKey)
    const release = reader.hold()
    await mutate().catch(() => {})
    release()
    activity.userRequested.delete(serializedKey)
  }, [activity, reader, serializedKey, mutate])

  usePolling(refreshInterval, {
    poll: () => {
      if (serializedKey !== '' && appWide.isVisible() && appWide.isOnline() && !isQuotaLow(client)) void mutate()
    },
    lastPolledAt: () => activity.startedAt(serializedKey),
  })

  const readWait = useTrackedValue(activity.subscribe, () => activity.wait(serializedKey), undefined)
  const readUpdatedAt = useTrackedValue(activity.subscribe, () => activity.updatedAt(serializedKey), undefined)
  const readIsPaused = useTrackedValue(
    // A subscription keeps a timer running.
    refreshInterval === undefined ? neverChanges : client.rateLimit.subscribe,
    () => refreshInterval !== undefined && isQuotaLow(client),
    false,
  )
  const readPrevious = usePrevious(client, operation, keepPreviousData ? swr.data : undefined)

  const error = throwOnError ? swr.error : undefined
  if (error && (throwOnError === true || (throwOnError && throwOnError(error)))) throw error

  // Getters that call SWR's getters: SWR renders a component again only for the fields it has read.
  return {
    get data() {
      return swr.data === undefined && keepPreviousData ? readPrevious() : swr.data
    },
    get error() {
      noteRead()
      return swr.error
    },
    get isLoading() {
      return swr.isLoading
    },
    get isValidating() {
      return swr.isValidating
    },
    get retryAt() {
      return readWait()?.retryAt
    },
    get waitReason() {
      return readWait()?.waitReason
    },
    get isRetryAtEarliest() {
      return readWait()?.isRetryAtEarliest ?? false
    },
    get dataUpdatedAt() {
      return readUpdatedAt()
    },
    get isPaused() {
      return readIsPaused()
    },
    mutate,
    refresh,
  }
}

const neverChanges = () => () => {}

/** SWR fetches automatically, which must not change anything at the service. */
function requireSafe({ name, replay }: Operation): void {
  if (replay === 'safe') return
  throw configError(
    name,
    isDevelopment && 'changes something, and queries are sent again automatically: use usePetstoreMutation.',
  )
}
