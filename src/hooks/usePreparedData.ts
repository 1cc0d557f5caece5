import { useEffect } from 'react'
import { loadedAtKey } from '../client/preparedKey.ts'
import { useLatestRef } from './useLatestRef.ts'
import type { QueryEntry } from './useQueryEntry.ts'

/**
 * Takes the data of `prefetchQuery` into the cache once the page has mounted, with their age, so that what is fresh costs
 * no request and what is not is loaded. Not during the render, which reads no clock and which React may discard.
 *
 * @returns whether the entry shows prepared data that are not in the cache yet
 */
export function usePreparedData({ key, serializedKey, appWide, activity }: QueryEntry): boolean {
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
