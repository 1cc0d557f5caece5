import { useEffect, useInsertionEffect, useMemo, useRef } from 'react'
import type { Reader } from './queryActivity.ts'
import { freshTime } from './swrDefaults.ts'
import { useLatestRef } from './useLatestRef.ts'
import type { QueryEntry } from './useQueryEntry.ts'

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
export function useReader({ key, activity, serializedKey, appWide }: QueryEntry, enabled: boolean): QueryReader {
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
