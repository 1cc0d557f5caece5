import { useEffect } from 'react'
import { useLatestRef } from './useLatestRef.ts'
import type { QueryEntry } from './useQueryEntry.ts'

/**
 * Loads an entry again after the app has cleared it from the cache. SWR alone would send no request while the cleared
 * response still counts as fresh, and the component would stay empty.
 */
export function useClearedCache(
  { key, serializedKey, appWide, activity, isEmpty }: QueryEntry,
  suspense = false,
): void {
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
