import { useEffect, useRef } from 'react'
import { useLatestRef } from './useLatestRef.ts'
import type { QueryEntry } from './useQueryEntry.ts'
import { freshTime } from './swrDefaults.ts'

/**
 * Keeps a disabled query from loading by itself. When it becomes enabled, it loads what is not fresh. SWR sends a request
 * for an entry through any of its components, so an enabled one, or a refresh, permits all of them to load.
 *
 * @returns a function that tells whether SWR may send a request now
 */
export function useEnabled({ key, activity, serializedKey, appWide }: QueryEntry, enabled: boolean): () => boolean {
  const latest = useLatestRef({ enabled, load: () => appWide.mutate(key) })
  const wasEnabled = useRef(enabled)

  useEffect(() => (enabled ? activity.permit(serializedKey) : undefined), [enabled, activity, serializedKey])

  useEffect(() => {
    const isEnabledNow = enabled && !wasEnabled.current
    wasEnabled.current = enabled
    const age = Date.now() - (activity.startedAt(serializedKey) ?? 0)
    if (isEnabledNow && !(age >= 0 && age < freshTime)) void latest.current.load()
  }, [enabled, activity, serializedKey, latest])

  return () => latest.current.enabled || activity.isPermitted(serializedKey)
}
