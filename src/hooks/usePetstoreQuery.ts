'use client'

import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import useSWR, { type KeyedMutator, type SWRConfiguration } from 'swr'
import { isAbortError } from '../base/abort.ts'
import { maxTimerDelay } from '../base/Clock.ts'
import { configError, isDevelopment } from '../base/development.ts'
import { invokeCallback } from '../base/listeners.ts'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { WaitReason } from '../rate-limit/pendingRequest.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { freshTime } from './queryActivity.ts'
import { useLatestRef, useTrackedValue } from './state.ts'
import {
  type SwrEntry,
  useClearedCache,
  usePreparedData,
  useSwrEntry,
  useQueryFetcher,
  useReader,
  useSharedResponses,
} from './swrEntry.ts'

/** The options of every query. */
export interface UsePetstoreQueryOptions<Output> {
  /**
   * `false`: shows what is cached and loads nothing, except by `refresh()`. When it becomes `true`, what is not fresh is
   * loaded. Has no effect with `suspense`. Default `true`.
   */
  readonly enabled?: boolean | undefined
  /**
   * Loads the data again when the last request is this many ms old, while the page is visible and online and the quota is
   * not low. Continues after failures. Default: never.
   */
  readonly refreshInterval?: number | undefined
  /** Shown until the first response, for example data from a server. Still revalidated on mount, in the background. */
  readonly fallbackData?: Output | undefined
  /**
   * Keeps showing the previous data while the data of another input load; never across clients. Has no effect with
   * `suspense`, where a transition does the same. Default `false`.
   */
  readonly keepPreviousData?: boolean | undefined
  /**
   * Suspends until data arrive, and throws the error if the first load fails. On a server it needs data: `fallbackData`,
   * or `prefetchQuery` with an `SWRConfig` `fallback`. Without data, the server sends the fallback of the nearest
   * `<Suspense>` and the page loads the data itself, which React reports as a recoverable error; without a `<Suspense>`,
   * rendering fails. Default `false`.
   */
  readonly suspense?: boolean | undefined
  /** Throws errors to the nearest error boundary: all (`true`), or those for which the function returns `true`. Default `false`. */
  readonly throwOnError?: boolean | ((error: PetstoreError) => boolean) | undefined
  /** Called when a response arrives: once per response, in one of the components that show the data. */
  readonly onSuccess?: ((data: Output) => void) | undefined
  /** Called when a request fails: once per failure, in one of the components that show the data. */
  readonly onError?: ((error: PetstoreError) => void) | undefined
}

/** The arguments after the operation. An operation without input may omit it; `null` sends no request. */
export type QueryArguments<Input, Output> = undefined extends Input
  ? [input?: Input | null, options?: UsePetstoreQueryOptions<Output>]
  : [input: Input | null, options?: UsePetstoreQueryOptions<Output>]

/** SWR's result, and what the client adds to it. Do not spread it: a component renders again only for the fields it reads. */
export interface UsePetstoreQueryResult<Output, Data = Output | undefined> {
  /** `undefined` until the first response. Stays while a later request is in progress, and when it fails. */
  readonly data: Data
  /** The error of the last request; `undefined` after a request succeeds. */
  readonly error: PetstoreError | undefined
  /** Whether the first request is in progress. */
  readonly isLoading: boolean
  /** Whether any request is in progress. */
  readonly isValidating: boolean
  /** While the request waits: when it leaves, in epoch ms. */
  readonly retryAt: number | undefined
  /** While the request waits: why. */
  readonly waitReason: WaitReason | undefined
  /** Whether the request may also leave later than `retryAt`: nobody knows yet what is left by then. */
  readonly isRetryAtEarliest: boolean
  /**
   * When the last response arrived, in epoch ms, also if it was equal to the one before; at the server, for data of
   * `prefetchQuery`. `undefined` before the first.
   */
  readonly dataUpdatedAt: number | undefined
  /** Whether `refreshInterval` rests, since the quota is low and its rest is left to people. */
  readonly isPaused: boolean
  /** SWR's bound `mutate`, which changes the cached data. */
  readonly mutate: KeyedMutator<Output>
  /**
   * Loads the data again, now. Settles when the response arrives, or when the request is canceled since no component shows
   * the data any more; never rejects: `error` shows failures.
   */
  readonly refresh: () => Promise<void>
}

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

  const entry = useSwrEntry(client, operation, input, fallbackData)
  useClearedCache(entry, suspense)

  const { noteRead, isHandled } = useErrorHandling(entry, options)
  const fetcher = useQueryFetcher(entry, operation, input, (error) => reportFailure(error, isHandled(error)))
  const { reader, mayLoad } = useReader(entry, enabled)
  useSharedResponses(entry, operation, input, enabled)
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
    lastPolledAt: () => activity.polledAt(serializedKey, refreshInterval ?? 0),
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

/** SWR fetches automatically, which must not change anything at the service. */
function requireSafe({ name, replay }: Operation): void {
  if (replay === 'safe') return
  throw configError(
    name,
    isDevelopment && 'changes something, and queries are sent again automatically: use usePetstoreMutation.',
  )
}

/** SWR takes `undefined` for "not set", which its types do not allow. */
const unset: object = {
  // An app-wide `false` would prevent every first load.
  revalidateOnMount: undefined,
  fallbackData: undefined,
  // The app's middleware may change keys and results, and so break what the hooks rely on.
  use: undefined,
}

/** Set in every query, because the app's `SWRConfig` may contain anything. */
const swrDefaults: SWRConfiguration = {
  ...unset,
  // The client retries: it alone knows the rate limit.
  shouldRetryOnError: false,
  // A mount, focus or reconnect within this time sends no request.
  dedupingInterval: freshTime,
  // `usePolling` polls instead: SWR would stop at the first failure.
  refreshInterval: 0,
  // `usePrevious` does this instead: SWR would show the data of one address or key under another.
  keepPreviousData: false,
  // An equal response is the same object, and a deep comparison would cost more than a render.
  compare: Object.is,
}

/**
 * The SWR configuration of a query. An app's own settings apply only where they cannot break the hook.
 *
 * @param isPrepared - whether it shows data whose age is not known yet
 * @param mayLoad - whether a request may be sent now
 */
function useQueryConfig<Output>(
  { client, serializedKey, appWide, activity }: SwrEntry,
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
    // Background requests leave the rest of a low quota to people, unless the data are known to be wrong.
    revalidateIfStale:
      activity.invalidAt(serializedKey) !== undefined ||
      ((appWide.revalidateIfStale ?? true) &&
        (isUserRequested || (!isLow && !isPrepared && !activity.isFresh(serializedKey)))),
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

/** Whether background requests have to leave the rest of the quota to people. */
function isQuotaLow(client: PetstoreClient): boolean {
  const { status } = client.rateLimit.getSnapshot()
  return status !== 'unknown' && status !== 'ok'
}

/** `isQuotaLow` at the time of this render, without a subscription. `false` during hydration, as on the server. */
function useIsQuotaLow(client: PetstoreClient): boolean {
  return useSyncExternalStore(
    neverSubscribe,
    () => isQuotaLow(client),
    () => false,
  )
}

interface ErrorHandling {
  /** Notes that the component reads `error`, and so can show it. */
  readonly noteRead: () => void
  /** Whether this component, or another one with the same entry, deals with the error. */
  readonly isHandled: (error: PetstoreError) => boolean
}

/** Finds out whether anybody deals with the errors of a query, for the `onError` of the provider. */
function useErrorHandling<Output>(
  { serializedKey, activity, isEmpty }: SwrEntry,
  { onError, throwOnError = false, suspense = false }: UsePetstoreQueryOptions<Output>,
): ErrorHandling {
  const isRead = useRef(false)
  const latest = useLatestRef((error: PetstoreError): boolean => {
    if (isRead.current || onError || (suspense && isEmpty())) return true
    return typeof throwOnError === 'function' ? throwOnError(error) : throwOnError
  })
  useEffect(
    () => activity.addErrorHandler(serializedKey, (error) => latest.current(error)),
    [activity, serializedKey, latest],
  )
  return {
    noteRead: () => {
      isRead.current = true
    },
    // A component that suspends has not mounted, and so is not among the handlers.
    isHandled: (error) => latest.current(error) || activity.isErrorHandled(serializedKey, error),
  }
}

/**
 * Returns a function that reads the last `data` of this client and operation that was not `undefined`. SWR's own
 * `keepPreviousData` would show the data of one client under the next.
 */
function usePrevious<Data>(
  client: PetstoreClient,
  { name }: Operation,
  data: Data | undefined,
): () => Data | undefined {
  const previous = useRef({ client, name, data })
  useEffect(() => {
    if (data !== undefined) previous.current = { client, name, data }
  })
  return () =>
    previous.current.client === client && previous.current.name === name ? previous.current.data : undefined
}

interface Polling {
  readonly poll: () => void
  /** When anyone last sent the request that `poll` sends, in epoch ms. */
  readonly lastPolledAt: () => number | undefined
}

/** Polls when nobody has sent the request for `interval` ms, so that components with equal queries share one rhythm. */
function usePolling(interval: number | undefined, polling: Polling): void {
  const latest = useLatestRef(polling)

  useEffect(() => {
    if (interval === undefined || !(interval > 0)) return undefined
    const period = Math.min(interval, maxTimerDelay)
    /** `undefined`: a poll is due, also after a clock rollback, which puts the last poll into the future. */
    const timeLeft = () => {
      const left = (latest.current.lastPolledAt() ?? 0) + period - Date.now()
      return left > 0 && left <= period * 1.1 ? left : undefined
    }
    const tick = () => {
      const left = timeLeft()
      if (left === undefined) latest.current.poll()
      timer = setTimeout(tick, left ?? period)
    }
    let timer = setTimeout(tick, timeLeft() ?? period)
    return () => clearTimeout(timer)
  }, [interval, latest])
}

const neverChanges = () => () => {}

const neverSubscribe = () => () => {}
