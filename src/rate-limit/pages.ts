import { createListeners, type Listeners } from '../base/listeners.ts'

/** The pages of this realm, by their ids: they are not gone. */
const here = new Set<string>()

/**
 * Names this page in its tab.
 *
 * @returns the page that the tab has shown before: it is gone, and may have had requests in flight
 */
export function enterTab(name: string, page: string): string | undefined {
  here.add(page)
  try {
    const key = `petstore-react ${name}`
    const before = sessionStorage.getItem(key) ?? undefined
    sessionStorage.setItem(key, page)
    return before !== undefined && here.has(before) ? undefined : before
  } catch {
    return undefined // there is none, as in workers and on servers, or it is blocked
  }
}

/** The page is hidden for good, or may be: the next one of the tab takes over. */
export function leaveTab(page: string): void {
  here.delete(page)
}

/** `hide` is followed by `show` where the page comes out of the back/forward cache. */
export type PageEvent = 'wake' | 'online' | 'hide' | 'show'

/** Pages and workers that are listened to, for good: it takes Chromium 0.4 ms to add and remove what `pagehide` calls. */
const watched = new WeakMap<EventTarget, Listeners<PageEvent>>()

/**
 * Calls a function when the page or worker is back from sleep or from the background, when the machine is online again,
 * and when the page may be about to be unloaded; until the returned function is called.
 */
export function watchPage(onEvent: (event: PageEvent) => void): () => void {
  // React Native has a `self` without events.
  if (typeof self === 'undefined' || typeof self.addEventListener !== 'function') return () => {}
  const events = watched.get(self) ?? listen()
  watched.set(self, events)
  return events.add(onEvent)
}

function listen(): Listeners<PageEvent> {
  const events = createListeners<PageEvent>()
  self.addEventListener('online', () => events.call('online'))
  self.addEventListener('pageshow', () => events.call('show'))
  self.addEventListener('pagehide', () => events.call('hide'))
  if (typeof document !== 'undefined') document.addEventListener('visibilitychange', () => events.call('wake'))
  return events
}
