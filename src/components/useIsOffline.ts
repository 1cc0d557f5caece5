import { useSyncExternalStore } from 'react'
import type { CallWait } from '../rate-limit/pendingRequest.ts'
import type { ErrorNoticeLabels } from '../labels/en.ts'

/** Whether the browser says that there is no connection; `undefined` on a server and during hydration. */
export function useIsOffline(): boolean | undefined {
  return useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => undefined,
  )
}

/** The text for a call that waits for the connection while the browser is offline; `undefined` for any other. */
export function useOfflineText(wait: CallWait | undefined, { situations }: ErrorNoticeLabels): string | undefined {
  const { title, advice } = situations.offline
  return useIsOffline() && wait?.reason === 'connection' ? `${title}. ${advice}` : undefined
}

function subscribe(onChange: () => void): () => void {
  const events = ['online', 'offline']
  for (const type of events) addEventListener(type, onChange)
  return () => {
    for (const type of events) removeEventListener(type, onChange)
  }
}
