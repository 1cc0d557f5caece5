import { useCallback, useEffect, useRef } from 'react'
import { useLatestRef } from './useLatestRef.ts'
import type { QueryEntry } from './useQueryEntry.ts'
import { freshTime } from './swrDefaults.ts'

interface Enabled {
  /** Whether SWR may send a request for this component now. */
  readonly mayLoad: () => boolean
  /** Loads, also while the query is disabled. Never rejects. Always the same function. */
  readonly withPermission: (load: () => Promise<unknown>) => Promise<void>
}

/** Keeps a disabled query from loading by itself. When it becomes enabled, it loads what is not fresh. */
export function useEnabled({ key, activity, serializedKey, appWide }: QueryEntry, enabled: boolean): Enabled {
  const permissions = useRef(0)
  const latest = useLatestRef({ enabled, load: () => appWide.mutate(key) })
  const wasEnabled = useRef(enabled)

  useEffect(() => {
    const isEnabledNow = enabled && !wasEnabled.current
    wasEnabled.current = enabled
    const age = Date.now() - (activity.startedAt(serializedKey) ?? 0)
    if (isEnabledNow && !(age >= 0 && age < freshTime)) void latest.current.load()
  }, [enabled, activity, serializedKey, latest])

  const mayLoad = () => latest.current.enabled || permissions.current > 0
  const withPermission = useCallback(async (run: () => Promise<unknown>) => {
    permissions.current += 1
    await run().catch(() => {})
    permissions.current -= 1
  }, [])
  return { mayLoad, withPermission }
}
