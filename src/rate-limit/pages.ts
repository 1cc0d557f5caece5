import { createListeners, type Listeners } from '../base/listeners.ts'

/** The pages of this realm that still live, by their ids. */
const here = new Set<string>()

/**
 * Names this page in its tab.
 *
 * @returns the page that the tab has shown before: it is gone, and may have had requests in flight
 */
export function enterTab(name: string, page: string): string | undefined {
  try {
    const key = `petstore-react ${name}`
    const before = sessionStorage.getItem(key) ?? undefined
    sessionStorage.setItem(key, page)
    here.add(page)
    return before !== undefined && here.has(before) ? undefined : before
  } catch {
    return undefined // there is none, as in workers and on servers, or it is blocked
  }
}

/** The page is hidden for good, or may be: the next one of the tab takes over. */
export function leaveTab(page: string): void {
  here.delete(page)
}

/** What a page hears of. */
interface PageHandlers {
  /** It is back from sleep or from the background. */
  readonly wake: () => void
  /** The machine is online again. */
  readonly online: () => void
  /** It may be about to be unloaded. `show` follows where it comes out of the back/forward cache. */
  readonly hide: () => void
  readonly show: () => void
}

/** Pages and workers that are listened to, for good: it takes Chromium 0.4 ms to add and remove what `pagehide` calls. */
const watched = new WeakMap<EventTarget, Listeners<keyof PageHandlers>>()

/** Calls the handlers for the page or worker until the returned function is called. */
export function watchPage(handlers: PageHandlers): () => void {
  // React Native has a `self` without events.
  if (typeof self === 'undefined' || typeof self.addEventListener !== 'function') return () => {}
  const events = watched.get(self) ?? listen()
  watched.set(self, events)
  return events.add((event) => handlers[event]())
}

function listen(): Listeners<keyof PageHandlers> {
  const events = createListeners<keyof PageHandlers>()
  self.addEventListener('online', () => events.call('online'))
  self.addEventListener('pageshow', () => events.call('show'))
  self.addEventListener('pagehide', () => events.call('hide'))
  if (typeof document !== 'undefined') document.addEventListener('visibilitychange', () => events.call('wake'))
  return events
}
