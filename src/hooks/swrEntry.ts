import { useEffect, useInsertionEffect, useMemo, useRef } from 'react'
import { type Cache, unstable_serialize, useSWRConfig } from 'swr'
import { isAbortError } from '../base/abort.ts'
import { isDevelopment } from '../base/development.ts'
import { invokeCallback } from '../base/listeners.ts'
import { type CacheKey, cacheKey, loadedAtKey } from '../client/cacheKey.ts'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import { callOperation, type CallOptions, type PetstoreClient } from '../client/PetstoreClient.ts'
import { sightOfPage } from '../client/sightOfPage.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { freshTime, type QueryActivity, queryActivityOf, type Reader, scopeCachesOf } from './queryActivity.ts'
import { type ResponseSharing, sharingOf } from './responseSharing.ts'
import { useLatestRef } from './state.ts'
import type { SharedQuery } from './tabs.ts'
import { warnOfUnreadData } from './warnOfUnreadData.ts'

/** The entry of the SWR cache that a query shows, as of one render. */
export interface SwrEntry {
  readonly client: PetstoreClient
  /** `null` when the input is `null`: SWR then sends no request. */
  readonly key: CacheKey | null
  /** The key as SWR stores it; empty when the input is `null`. */
  readonly serializedKey: string
  /** The app's SWR configuration, with the cache. */
  readonly appWide: ReturnType<typeof useSWRConfig>
  readonly activity: QueryActivity
  /** Whether there are no data: none in the cache, and none prepared. */
  readonly isEmpty: () => boolean
}

export function useSwrEntry<Input, Output>(
  client: PetstoreClient,
  operation: Operation<Input, Output>,
  input: Input | null | undefined,
  fallbackData: Output | undefined,
): SwrEntry {
  const appWide = useSWRConfig()
  const { cache, fallback } = appWide
  const key = input === null ? null : cacheKey(client, operation, input)
  const serializedKey = unstable_serialize(key)
  removeAbortError(cache, serializedKey)
  return {
    client,
    key,
    serializedKey,
    appWide,
    activity: queryActivityOf(cache),
    // A promise is data of a server that has not come, or that failed.
    isEmpty: () =>
      [cache.get(serializedKey)?.data, fallbackData, fallback?.[serializedKey]].every(
        (data) => data === undefined || data instanceof Promise,
      ),
  }
}

/** A request that was canceled, with its client or because nobody shows it, did not fail. With `suspense`, SWR would throw it forever. */
function removeAbortError(cache: Cache, serializedKey: string): void {
  const state = cache.get(serializedKey)
  if (isAbortError(state?.error)) cache.set(serializedKey, { ...state, error: undefined })
}

/**
 * Loads an entry again after the app has cleared it from the cache. SWR alone would send no request while the cleared
 * response still counts as fresh, and the component would stay empty.
 */
export function useClearedCache({ key, serializedKey, appWide, activity, isEmpty }: SwrEntry, suspense = false): void {
  function isCacheCleared(): boolean {
    const { error, isValidating } = appWide.cache.get(serializedKey) ?? {}
    return activity.startedAt(serializedKey) !== undefined && isEmpty() && !error && !isValidating
  }

  function refetch(): Promise<unknown> {
    activity.forget(serializedKey)
    return appWide.mutate(key)
  }

  // React 18 has no `use`, so a thrown promise suspends. It loads after this render: others may render the entry now.
  // oxlint-disable-next-line typescript/only-throw-error
  if (suspense && isCacheCleared()) throw Promise.resolve().then(refetch)

  const latest = useLatestRef({ isCacheCleared, refetch })
  useEffect(() => {
    if (serializedKey !== '' && latest.current.isCacheCleared()) void latest.current.refetch()
  }, [latest, serializedKey])
}

/**
 * Takes the data of `prefetchQuery` into the cache once the page has mounted, with their age, so that what is fresh costs
 * no request and what is not is loaded. Not during the render, which reads no clock and which React may discard.
 *
 * @returns whether the entry shows prepared data that are not in the cache yet
 */
export function usePreparedData({ key, serializedKey, appWide, activity }: SwrEntry): boolean {
  const { cache, fallback, mutate } = appWide
  const data: unknown = fallback?.[serializedKey]
  const loadedAt: unknown = fallback?.[loadedAtKey(serializedKey)]
  const isPrepared = loadedAt !== undefined

  function take(prepared: unknown, time: unknown): void {
    if (prepared === undefined || typeof time !== 'number' || cache.get(serializedKey)?.data !== undefined) return
    void mutate(key, prepared, { revalidate: false })
    // A server whose clock is ahead must not make the data look younger than this page.
    activity.receive(serializedKey, Math.min(time, Date.now()))
    if (!activity.isFresh(serializedKey) && (appWide.revalidateIfStale ?? true)) void mutate(key)
  }

  const latest = useLatestRef({ data, loadedAt, take })
  useEffect(() => {
    if (!isPrepared || serializedKey === '') return
    const { current } = latest
    // A stream has promises.
    if (typeof current.loadedAt === 'number') current.take(current.data, current.loadedAt)
    else void Promise.all([current.data, current.loadedAt]).then(([value, time]) => latest.current.take(value, time))
  }, [isPrepared, serializedKey, latest])

  return isPrepared && cache.get(serializedKey)?.data === undefined
}

interface QueryReader {
  readonly reader: Reader
  /** Whether SWR may send a request now. */
  readonly mayLoad: () => boolean
}

/**
 * Reads the entry while the query is enabled and mounted, and keeps a disabled query from loading by itself. When it becomes
 * enabled, it loads what is not fresh. SWR sends a request for an entry through any of its components, so one reader lets
 * all of them load.
 */
export function useReader({ key, activity, serializedKey, appWide }: SwrEntry, enabled: boolean): QueryReader {
  const latest = useLatestRef({ enabled, load: () => appWide.mutate(key) })
  const wasEnabled = useRef(enabled)
  const reader = useMemo(() => activity.createReader(serializedKey), [activity, serializedKey])

  function read(): () => void {
    if (enabled) reader.hold()
    return reader.leave
  }
  // Before the effect in which SWR joins a request, which a reader that has just left may be about to cancel.
  useInsertionEffect(read, [enabled, reader])
  // A hidden `<Activity>` ends these effects only.
  useEffect(read, [enabled, reader])

  useEffect(() => {
    const isEnabledNow = enabled && !wasEnabled.current
    wasEnabled.current = enabled
    const age = Date.now() - (activity.startedAt(serializedKey) ?? 0)
    if (isEnabledNow && !(age >= 0 && age < freshTime)) void latest.current.load()
  }, [enabled, activity, serializedKey, latest])

  return { reader, mayLoad: () => latest.current.enabled || activity.isRead(serializedKey) }
}

/** Takes what other tabs load, as long as the query is enabled and mounted. */
export function useSharedResponses(entry: SwrEntry, operation: Operation, input: unknown, enabled: boolean): void {
  const { client, serializedKey, activity } = entry
  const { mutate } = entry.appWide
  const latest = useLatestRef(() => sharingFor(entry)?.show({ operation, input, serializedKey, activity, mutate }))
  useEffect(() => {
    // The key stands for the operation and its input, which may be new objects in each render.
    // oxlint-disable-next-line react/exhaustive-deps
    return enabled ? latest.current() : undefined
  }, [client, serializedKey, activity, mutate, enabled, latest])
}

/** Nothing is shared where the key is not the same in all tabs: SWR numbers what JSON cannot hold, as `1~`. */
function sharingFor({
  client,
  serializedKey,
}: Pick<SwrEntry, 'client' | 'serializedKey'>): ResponseSharing | undefined {
  return serializedKey === '' || /\d~/.test(serializedKey) ? undefined : sharingOf.get(client)
}

/**
 * The fetcher for SWR. SWR does not say why it fetches, so the entry tells whether a person waits for the response.
 *
 * @param onFailure - called once for each failed request
 */
export function useQueryFetcher<Input, Output>(
  entry: SwrEntry,
  operation: Operation<Input, Output>,
  input: Input | null | undefined,
  onFailure: (error: PetstoreError) => void,
): () => Promise<Output> {
  const { client, key, serializedKey, appWide, activity, isEmpty } = entry
  const { cache, mutate } = appWide

  async function fetcher(): Promise<Output> {
    if (isDevelopment && process.env.NODE_ENV !== 'production') warnOfUnreadData(appWide.fallback)
    const isRequested = activity.userRequested.delete(serializedKey)
    const isAwaited = isRequested || isEmpty()
    const isSeen = sightOfPage().isSeen()
    const priority = isAwaited && isSeen ? 'user' : 'background'
    scopeCachesOf(client).set(cache, mutate)
    const { since, signal, cancel, onWait, succeed, end } = activity.start(serializedKey)
    const query: SharedQuery = { operation, input, serializedKey, activity, mutate }
    const shared = sharingFor(entry)?.load(query, { since, isRequested, signal })
    // SWR never fetches for `null`.
    const call = (options: CallOptions) => callOperation(client, operation, input ?? undefined, { signal, ...options })
    // A call of a person that joins the request lifts it.
    const lift = () => void call({ priority: 'user' }).catch(() => {})
    const stopLifting = isAwaited && !isSeen ? sightOfPage().subscribe(lift) : () => {}

    async function send(): Promise<Output> {
      if (shared) await shared.asked
      const data = await call({
        priority,
        onWait: (...wait) => {
          shared?.onWait(wait[0])
          onWait(...wait)
        },
      })
      succeed()
      return data
    }

    try {
      if (!shared) return await send()
      return await Promise.race([
        send(),
        shared.received.then(({ value, sentAt }) => {
          activity.receive(serializedKey, sentAt, true)
          cancel()
          // `tabs.ts` has checked it with the schema of this operation.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          return value as Output
        }),
      ])
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
      shared?.end()
      end()
    }
  }

  const latest = useLatestRef({ client, serializedKey, fetcher })
  return fetcher
}
