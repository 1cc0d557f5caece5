import type { Clock } from '../../base/Clock.ts'
import type { RateLimitStore } from '../RateLimitStore.ts'
import { createListeners, type Listeners } from '../../base/listeners.ts'

/** Tells which of the pages and workers that share a store still exist. */
export interface Presence {
  /** Names this page or worker; `undefined` as long as the others could take it for gone. */
  readonly id: string | undefined
  /** Call it when the page begins to use the store, or is shown again. */
  readonly enter: () => void
  /** Call it when the page is hidden for good, or may be. */
  readonly leave: () => void
  /** Returns those of the ids whose page or worker is gone, also after a crash. */
  readonly findGone: (ids: readonly string[]) => Promise<readonly string[]>
}

/** Under a global symbol, so that two copies of the package share it. */
export const presence: unique symbol = Symbol.for('petstore-react.presence')

export interface PresentStore extends RateLimitStore {
  readonly [presence]?: Presence | undefined
}

export function presenceOf(store: PresentStore): Presence | undefined {
  return store[presence]
}

const prefix = 'petstore-react '

/**
 * Each page holds a Web Lock while it is shown: the browser frees it when the page ends, however that happens, and lists
 * those that are held. Returns nothing where there are no locks.
 */
export function createPresence(): Presence | undefined {
  // Missing on insecure origins, whatever its type says.
  const locks: LockManager | undefined = typeof navigator === 'undefined' ? undefined : navigator.locks
  if (!locks) return undefined
  let id: string | undefined
  let release: (() => void) | undefined

  return {
    get id() {
      return id
    },
    enter: () => {
      if (release) return
      const next = crypto.randomUUID()
      let isLeft = false
      const left = new Promise<void>((resolve) => {
        release = () => {
          isLeft = true
          resolve()
        }
      })
      const hold = () => {
        if (!isLeft) id = next
        return left
      }
      // Without a lock the page goes on without a name, as where there are no locks.
      locks.request(prefix + next, hold).catch(() => {})
    },
    leave: () => {
      release?.()
      release = undefined
      id = undefined
    },
    findGone: async (ids) => {
      const { held = [] } = await locks.query()
      const names = new Set(held.map(({ name }) => name))
      return ids.filter((other) => !names.has(prefix + other))
    },
  }
}

/** How often a page that waits looks for pages that are gone, in ms. */
const interval = 200

/** Returns a function that looks whether any of some pages are gone, but not too often. */
export function createGoneFinder(
  known: Presence | undefined,
  clock: Clock,
  onGone: (ids: readonly string[]) => void,
): (ids: readonly string[]) => void {
  let lookedAt = -Infinity

  async function look(ids: readonly string[]): Promise<void> {
    // A document that is not active may not ask.
    const gone = (await known?.findGone(ids).catch(() => [])) ?? []
    if (gone.length > 0) onGone(gone)
  }

  return (ids) => {
    const now = clock.monotonic()
    if (ids.length === 0 || now < lookedAt + interval) return
    lookedAt = now
    void look(ids)
  }
}

interface PageLifecycleCallbacks {
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
