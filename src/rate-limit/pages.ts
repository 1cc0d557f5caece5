import { createListeners, type Listeners } from '../base/listeners.ts'

/** The page ids of this realm that are still in use: each limiter (`createRateLimiter`) has one. */
const liveIds = new Set<string>()

/**
 * Stores the id of this page for its tab.
 *
 * @returns the id of the page that the tab has shown before: it is gone, and may have had requests in flight
 */
export function enterTab(name: string, page: string): string | undefined {
  try {
    const key = `petstore-react ${name}`
    const lastId = sessionStorage.getItem(key) ?? undefined
    sessionStorage.setItem(key, page)
    liveIds.add(page)
    return lastId !== undefined && liveIds.has(lastId) ? undefined : lastId
  } catch {
    return undefined // workers and servers have no sessionStorage, and browsers may block it
  }
}

/** Call it with the id of a limiter when its page is hidden, maybe for good: it no longer counts as in use then. */
export function leaveTab(page: string): void {
  liveIds.delete(page)
}

/**
 * `wake`: the page is back from sleep or from the background. `online`: the machine is online again. `hide`: the page is
 * unloaded, or, after `cache`, may be put into the back/forward cache; `show` follows if it comes out of there.
 */
type PageEvent = 'wake' | 'online' | 'cache' | 'hide' | 'show'

/** The listeners of pages and workers, which stay for good: adding and removing one for `pagehide` takes Chromium 0.4 ms. */
const watched = new WeakMap<EventTarget, Listeners<PageEvent>>()

/** Calls the handlers for the page or worker until the returned function is called. */
export function watchPage(handlers: Readonly<Partial<Record<PageEvent, () => void>>>): () => void {
  // React Native has a `self` without events.
  if (typeof self === 'undefined' || typeof self.addEventListener !== 'function') return () => {}
  const events = watched.get(self) ?? listen()
  watched.set(self, events)
  return events.add((event) => handlers[event]?.())
}

function listen(): Listeners<PageEvent> {
  const events = createListeners<PageEvent>()
  self.addEventListener('online', () => events.call('online'))
  self.addEventListener('pageshow', () => events.call('show'))
  self.addEventListener('pagehide', ({ persisted }: Partial<PageTransitionEvent>) => {
    if (persisted) events.call('cache')
    events.call('hide')
  })
  if (typeof document !== 'undefined') document.addEventListener('visibilitychange', () => events.call('wake'))
  return events
}
