import { useSyncExternalStore } from 'react'
import type { SWRConfiguration } from 'swr'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import { invokeCallback } from '../client/invokeCallback.ts'
import { isAbortError } from '../base/abort.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { isQuotaLow } from './isQuotaLow.ts'
import { swrDefaults } from './swrDefaults.ts'
import type { UsePetstoreQueryOptions } from './UsePetstoreQueryOptions.ts'
import type { QueryEntry } from './useQueryEntry.ts'

/**
 * The SWR configuration of a query. An app's own settings apply only where they cannot break the hook.
 *
 * @param isPrepared - whether it shows data whose age is not known yet
 * @param mayLoad - whether a request may be sent now
 */
export function useQueryConfig<Output>(
  { client, serializedKey, appWide, activity }: QueryEntry,
  isPrepared: boolean,
  { fallbackData, suspense = false, onSuccess, onError }: UsePetstoreQueryOptions<Output>,
  mayLoad: () => boolean,
): SWRConfiguration<Output, PetstoreError> {
  const isLow = useIsQuotaLow(client)
  const isUserRequested = activity.userRequested.has(serializedKey)
  return {
    ...swrDefaults,
    ...(fallbackData !== undefined && { fallbackData }),
    suspense,
    isPaused: () => !mayLoad(),
    // Background requests leave the rest of a low quota to people.
    revalidateIfStale:
      (appWide.revalidateIfStale ?? true) &&
      (isUserRequested || (!isLow && !isPrepared && !activity.isFresh(serializedKey))),
    isVisible: () => appWide.isVisible() && !isQuotaLow(client) && !activity.isFresh(serializedKey),
    onSuccess: (data, ...rest) => {
      if (onSuccess) invokeCallback(onSuccess, data)
      else invokeCallback(appWide.onSuccess, data, ...rest)
    },
    onError: (error, ...rest) => {
      if (isAbortError(error)) return
      if (!onError) invokeCallback(appWide.onError, error, ...rest)
      else if (isPetstoreError(error)) invokeCallback(onError, error)
    },
  }
}

/** `isQuotaLow` at the time of this render, without a subscription. `false` during hydration, as on the server. */
function useIsQuotaLow(client: PetstoreClient): boolean {
  return useSyncExternalStore(
    neverSubscribe,
    () => isQuotaLow(client),
    () => false,
  )
}

const neverSubscribe = () => () => {}
