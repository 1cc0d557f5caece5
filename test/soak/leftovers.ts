import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import type { VirtualTime } from '../virtualTime.ts'
import type { SharedDatabase } from './sharedDatabase.ts'
import { maxEntries } from './visit.ts'

/** Resources that still exist at the end of a day, after all tabs have closed. */
export interface Leftovers {
  readonly timers: number
  readonly listeners: number
  readonly channels: number
  /** Requests in flight, according to the record of the current key. */
  readonly inFlight: number
  /** Records that were not updated for more than two days. */
  readonly outdated: number
  readonly elements: number
  /** The maximum of entries per client in a tab's SWR cache. */
  readonly cacheEntries: number
}

const hour = 3_600_000

/** Starts to count what the tabs hold. Only what is created from now on counts. */
export function createLeftoverCounter(time: VirtualTime, database: SharedDatabase) {
  const listeners = countListeners()
  return {
    /** Counts what is left. Only the tabs know the requests in flight and the entries of their caches. */
    count: (ofTabs: Pick<Leftovers, 'inFlight' | 'cacheEntries'>): Leftovers => {
      const records = [...database.records.values()] as GateRecord[]
      return {
        ...ofTabs,
        timers: time.timerCount(),
        listeners: listeners(),
        channels: database.openChannels.size,
        outdated: records.filter(({ updatedAt }) => updatedAt < Date.now() - 48.5 * hour).length,
        elements: document.body.childElementCount,
      }
    },
  }
}

/** Counts the listeners on `window` and `document` that are added from now on. */
export function countListeners(): () => number {
  const held = new Map<string, Set<unknown>>()
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target)
    const remove = target.removeEventListener.bind(target)
    const listenersFor = (type: string, options: unknown) => {
      const isCapturing = options === true || (JSON.stringify(options) ?? '').includes('"capture":true')
      const place = `${target === window ? 'window' : 'document'} ${type} ${isCapturing}`
      const listeners = held.get(place) ?? new Set()
      held.set(place, listeners)
      return listeners
    }
    target.addEventListener = (type: string, listener: EventListener, options?: AddEventListenerOptions) => {
      listenersFor(type, options).add(listener)
      add(type, listener, options)
    }
    target.removeEventListener = (type: string, listener: EventListener, options?: EventListenerOptions) => {
      listenersFor(type, options).delete(listener)
      remove(type, listener, options)
    }
  }
  return () => [...held.values()].reduce((sum, { size }) => sum + size, 0)
}

/** A page adds one listener, once, with the first load that other tabs may share: the first tab has none. */
const loadListeners = 1

/** Describes each leftover above its limit. Some limits are the values after the very first tab. */
export function leaksOf(left: Leftovers, baseline: Leftovers): string[] {
  const { timers, channels, inFlight, outdated, listeners, elements, cacheEntries } = left
  const limits = [
    ['timers', timers, 0],
    ['channels', channels, 0],
    ['inFlight', inFlight, 0],
    ['outdated records', outdated, 0],
    ['listeners', listeners, baseline.listeners + loadListeners],
    ['elements', elements, baseline.elements],
    ['cache entries for a client', cacheEntries, maxEntries],
  ] as const
  return limits.filter(([, found, max]) => found > max).map(([name, found, max]) => `${found} ${name} (at most ${max})`)
}
