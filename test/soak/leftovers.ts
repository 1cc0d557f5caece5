import { vi } from 'vitest'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { countAlive, countListeners, heapInUse } from './leaks.ts'
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
  /** Clients that are still reachable; 0 if Node does not expose `gc`. */
  readonly clients: number
  readonly elements: number
  /** The maximum of entries per client in a tab's SWR cache. */
  readonly cacheEntries: number
  /** In bytes. */
  readonly heap: number | undefined
}

const hour = 3_600_000
/** React and the engine keep the last of some objects until new ones replace them. A day has about twenty clients. */
const maxReachableClients = 3

/** Starts to count what the tabs hold. Only what is created from now on counts. */
export function createLeftoverCounter(database: SharedDatabase) {
  const listeners = countListeners()
  const clients = countAlive()
  return {
    addClient: clients.add,
    /** Counts what is left. Only the tabs know the requests in flight and the entries of their caches. */
    count: async (ofTabs: Pick<Leftovers, 'inFlight' | 'cacheEntries'>): Promise<Leftovers> => {
      const heap = await heapInUse()
      const records = [...database.records.values()] as GateRecord[]
      return {
        ...ofTabs,
        timers: vi.getTimerCount(),
        listeners: listeners(),
        channels: database.openChannels.size,
        outdated: records.filter(({ updatedAt }) => updatedAt < Date.now() - 48.5 * hour).length,
        elements: document.body.childElementCount,
        heap,
        clients: heap === undefined ? 0 : clients.alive(),
      }
    },
  }
}

/** A page adds one listener, once, with the first load that other tabs may share: the first tab has none. */
const loadListeners = 1

/** Describes each leftover above its limit. Some limits are the values after the very first tab. */
export function leaksOf(left: Leftovers, baseline: Leftovers): string[] {
  const { timers, channels, inFlight, outdated, listeners, elements, clients, cacheEntries } = left
  const limits = [
    ['timers', timers, 0],
    ['channels', channels, 0],
    ['inFlight', inFlight, 0],
    ['outdated records', outdated, 0],
    ['listeners', listeners, baseline.listeners + loadListeners],
    ['elements', elements, baseline.elements],
    ['clients', clients, maxReachableClients],
    ['cache entries for a client', cacheEntries, maxEntries],
  ] as const
  return limits.filter(([, found, max]) => found > max).map(([name, found, max]) => `${found} ${name} (at most ${max})`)
}
