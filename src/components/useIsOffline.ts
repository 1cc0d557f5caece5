import { useSyncExternalStore } from 'react'

/** Whether the browser says that there is no connection; `undefined` on a server and during hydration. */
export function useIsOffline(): boolean | undefined {
  return useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => undefined,
  )
}

function subscribe(onChange: () => void): () => void {
  const events = ['online', 'offline']
  for (const type of events) addEventListener(type, onChange)
  return () => {
    for (const type of events) removeEventListener(type, onChange)
  }
}
