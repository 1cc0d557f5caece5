import { createListeners, type Listeners } from '../base/listeners.ts'

export interface PageLifecycleCallbacks {
  /** Called when the page is back from sleep, from the background or from the back-forward cache. */
  readonly onWake: () => void
  /** Called when the machine is connected to a network again. */
  readonly onOnline: () => void
  /** Called when the page may be about to be unloaded. */
  readonly onHide: () => void
}

type LifecycleEvents = Listeners<keyof PageLifecycleCallbacks>

/** Pages and workers that are listened to, for good: it takes Chromium 0.4 ms to add and remove what `pagehide` calls. */
const watched = new WeakMap<EventTarget, LifecycleEvents>()

/**
 * Listens to the lifecycle events of a page or of a worker, which has only some of them, until the returned function is
 * called. Does nothing elsewhere.
 */
export function watchPageLifecycle(callbacks: PageLifecycleCallbacks): () => void {
  // React Native has a `self` without events.
  if (typeof self === 'undefined' || typeof self.addEventListener !== 'function') return () => {}
  const events = watched.get(self) ?? listen()
  watched.set(self, events)
  return events.add((name) => callbacks[name]())
}

function listen(): LifecycleEvents {
  const events: LifecycleEvents = createListeners()
  const wake = () => events.call('onWake')
  self.addEventListener('online', () => events.call('onOnline'))
  self.addEventListener('pageshow', wake)
  self.addEventListener('pagehide', () => events.call('onHide'))
  if (typeof document !== 'undefined') document.addEventListener('visibilitychange', wake)
  return events
}
