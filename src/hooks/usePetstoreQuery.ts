'use client'

import { useCallback, useEffect, useInsertionEffect, useRef, useSyncExternalStore } from 'react'
import useSWR, { type Cache, type KeyedMutator, type SWRConfiguration, unstable_serialize, useSWRConfig } from 'swr'
import { cacheKey } from '../client/cacheKey.ts'
import { invokeCallback } from '../client/invokeCallback.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { isDevelopment, configError } from '../contract/configError.ts'
import { callOperation } from './callOperation.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { type QueryActivity, queryActivityOf } from './queryActivity.ts'
import { swrDefaults } from './swrDefaults.ts'
import { usePolling } from './usePolling.ts'

/** How a query behaves. */
export interface UsePetstoreQueryOptions<Output> {
  /**
   * Asks again whenever the last request is so many ms old, while the page is visible and online and the quota is not
   * low. Goes on after failures. Default: never.
   */
  readonly refreshInterval?: number | undefined
  /** Shown until the first response, as from a server. Asked again at mount all the same, in the background. */
  readonly fallbackData?: Output | undefined
  /**
   * Goes on showing the last data while those of another input are loaded; never across clients. Not under `suspense`,
   * where a transition does that. Default `false`.
   */
  readonly keepPreviousData?: boolean | undefined
  /**
   * Suspends until there is data, and throws the error if there is none to come. On a server it needs data:
   * `fallbackData`, or `prefetchCategories` with an `SWRConfig` `fallback`. Without, the server sends the fallback of the
   * nearest `<Suspense>` and the page loads by itself, which React reports as a recoverable error; where there is no
   * `<Suspense>`, the rendering fails. Default `false`.
   */
  readonly suspense?: boolean | undefined
  /** Throws errors to the nearest error boundary: all (`true`), or those it says so of. Default `false`. */
  readonly throwOnError?: boolean | ((error: PetstoreError) => boolean) | undefined
  /** Told of each response: once, in one of the components that show it. */
  readonly onSuccess?: ((data: Output) => void) | undefined
  /** Told of each failure: once, in one of the components that show it. */
  readonly onError?: ((error: PetstoreError) => void) | undefined
}

/** SWR's result, with `refresh` and `retryAt`. Do not spread it: only what is read makes the component render again. */
export interface UsePetstoreQueryResult<Output, Data = Output | undefined> {
  /** `undefined` until the first response. Stays while a later request is under way or has failed. */
  readonly data: Data
  /** Why the last request failed; `undefined` again once one succeeds. */
  readonly error: PetstoreError | undefined
  /** Whether the first response is being waited for. */
  readonly isLoading: boolean
  /** Whether any request is under way. */
  readonly isValidating: boolean
  /** While the rate limit holds the request back: until when at least, in epoch ms. */
  readonly retryAt: number | undefined
  /** SWR's bound `mutate`, to change the cached data. */
  readonly mutate: KeyedMutator<Output>
  /** Asks the service again, now. Settles when the response is in; never rejects: failures show in `error`. */
  readonly refresh: () => Promise<void>
}

/** The arguments after the operation: the input may be left out where it takes none; `null` asks nothing. */
export type QueryArguments<Input, Output> = undefined extends Input
  ? [input?: Input | null, options?: UsePetstoreQueryOptions<Output>]
  : [input: Input | null, options?: UsePetstoreQueryOptions<Output>]

/**
 * The response to any operation that is `safe` to send again, as every GET is, also your own (`defineOperation`), kept in
 * the SWR cache of the app. Components that
 * ask for the same at the same time share one request; a response counts as fresh for half a minute. The cache goes by
 * the operation's name and input: define an operation once, outside of components.
 *
 * @param input - `null`: nothing is asked yet
 * @throws Error outside a `PetstoreProvider`
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
  const { client } = usePetstoreContext('usePetstoreQuery')
  if (operation.replay !== 'safe') {
    throw configError(
      operation.name,
      isDevelopment && 'changes something, and a query is asked again by itself: use usePetstoreMutation.',
    )
  }
  const { refreshInterval, fallbackData, keepPreviousData, suspense, throwOnError, onSuccess, onError } = options
  const appWide = useSWRConfig()
  const { cache, fallback, isVisible, isOnline, revalidateIfStale } = appWide
  const activity = queryActivityOf(cache)
  const key = input === null ? null : cacheKey(client, operation, input)
  const entry = unstable_serialize(key)
  forgetCutOff(cache, entry)

  const isEmpty = () => [cache.get(entry)?.data, fallbackData, fallback?.[entry]].every((data) => data === undefined)

  /** SWR goes by the age of a response, even where the app has cleared that since: it would ask nothing, and stay empty. */
  function isCacheCleared(): boolean {
    const { error, isValidating } = cache.get(entry) ?? {}
    return activity.startedAt(entry) !== undefined && isEmpty() && !error && !isValidating
  }

  function refetch(): Promise<unknown> {
    activity.forget(entry)
    return appWide.mutate(key)
  }

  // A thrown promise is what suspends in React 18, which has no `use`. It asks after rendering: others may show the entry.
  // oxlint-disable-next-line typescript/only-throw-error
  if (suspense && isCacheCleared()) throw Promise.resolve().then(refetch)

  async function load(): Promise<Output> {
    const priority = activity.userRequested.delete(entry) || isEmpty() ? 'user' : 'background'
    const { onWait, end } = activity.begin(entry)
    try {
      // An operation without an input takes `undefined`; `null` never comes here.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return await callOperation(client, operation, input as Input, {
        priority,
        onWait,
      })
    } catch (error) {
      // A provider that has got other options closes the old client: the new one goes on with the entry.
      const { current } = newest
      if (isAbortError(error) && current.client !== client && current.entry === entry) return current.load()
      throw error
    } finally {
      end()
    }
  }
  const newest = useRef({ client, entry, load, isCacheCleared, refetch })
  useInsertionEffect(() => {
    newest.current = { client, entry, load, isCacheCleared, refetch }
  })

  const isLow = useIsQuotaLow(client)
  const config: SWRConfiguration<Output, PetstoreError> = {
    ...swrDefaults,
    suspense: suspense ?? false, // pinned, too
    // Machines leave what is left of a low quota to people.
    revalidateIfStale: (revalidateIfStale ?? true) && (activity.userRequested.has(entry) || !isLow),
    isVisible: () => isVisible() && !isQuotaLow(client),
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
  if (fallbackData !== undefined) config.fallbackData = fallbackData
  const swr = useSWR<Output, PetstoreError>(key, load, config)
  const { mutate } = swr

  useEffect(() => {
    if (entry !== '' && newest.current.isCacheCleared()) void newest.current.refetch()
  }, [entry])

  const refresh = useCallback(async () => {
    if (entry === '') return
    activity.userRequested.add(entry)
    await mutate().catch(() => {})
    activity.userRequested.delete(entry)
  }, [activity, entry, mutate])

  usePolling(refreshInterval, {
    ask: () => void (entry !== '' && isVisible() && isOnline() && !isQuotaLow(client) && mutate()),
    lastPolledAt: () => activity.startedAt(entry),
  })

  const readRetryAt = useRetryAt(activity, entry)
  const readPrevious = usePrevious(client, operation, keepPreviousData ? swr.data : undefined)

  const thrown = throwOnError ? swr.error : undefined
  if (thrown && (throwOnError === true || (throwOnError && throwOnError(thrown)))) throw thrown

  // Getters, passed on as such: SWR renders a component again only for what it has read.
  return {
    get data() {
      return swr.data === undefined && keepPreviousData ? readPrevious() : swr.data
    },
    get error() {
      return swr.error
    },
    get isLoading() {
      return swr.isLoading
    },
    get isValidating() {
      return swr.isValidating
    },
    get retryAt() {
      return readRetryAt()
    },
    mutate,
    refresh,
  }
}

function isQuotaLow(client: PetstoreClient): boolean {
  const { status } = client.rateLimit.getSnapshot()
  return status === 'low' || status === 'exhausted' || status === 'cooling-down'
}

/** As of this render. What is hydrated has to match its server, which speaks of no quota. */
function useIsQuotaLow(client: PetstoreClient): boolean {
  return useSyncExternalStore(
    neverTold,
    () => isQuotaLow(client),
    () => false,
  )
}

const neverTold = () => () => {}

/** Renders again for a change of `retryAt` only once it has been read. What is hydrated begins without, as its server. */
function useRetryAt(activity: QueryActivity, entry: string): () => number | undefined {
  const isRead = useRef(false)
  const isHydrating = useRef(false)
  useSyncExternalStore(
    activity.subscribe,
    () => {
      isHydrating.current = false
      return isRead.current ? activity.retryAt(entry) : undefined
    },
    () => {
      isHydrating.current = true
      return undefined
    },
  )
  return () => {
    isRead.current = true
    return isHydrating.current ? undefined : activity.retryAt(entry)
  }
}

/** SWR's own way would show the data of one client under the next. */
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

/** That a client was closed meanwhile is no failure to be shown; under `suspense`, SWR would throw it for ever. */
function forgetCutOff(cache: Cache, entry: string): void {
  const state = cache.get(entry)
  if (isAbortError(state?.error)) cache.set(entry, { ...state, error: undefined })
}

function isAbortError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError'
}
