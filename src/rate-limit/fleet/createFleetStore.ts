import type { RateLimitStore } from '../RateLimitStore.ts'
import { readRecord } from '../records.ts'
import { createClockRepair } from './clockRepair.ts'
import { createFleetGate } from './fleetGate.ts'
import type { KnownProcesses } from './knownProcesses.ts'
import { type Fleet, type FleetStore, fleet } from './FleetStore.ts'
import { leaseTime } from './leases.ts'
import { createOwnBatches } from './ownBatches.ts'
import { createStoreClock } from './storeClock.ts'

/** A store that processes on several machines share. */
export interface SharedStore extends RateLimitStore {
  /** The clock of the store, in epoch ms: the clocks of the machines differ. */
  readonly now: () => number
  /** The processes that share a record. */
  readonly processes: (name: string) => Pick<KnownProcesses, 'count' | 'areComplete'>
}

/** Adds the parts of the gate that only a fleet needs. */
export function createFleetStore(store: SharedStore): FleetStore {
  const parts: Fleet = {
    leaseTime,
    maxPause: 30_000,
    createClock: (clock) => createStoreClock(clock, store.now),
    createRepair: createClockRepair,
    createOwnBatches,
    isOlder: (stored, than) => readRecord(stored).updatedAt < than.updatedAt,
    createGate: (options) => {
      // While the store fails, and until all others are back, each process continues with its part of the quota.
      const countProcesses = () => {
        const { count, areComplete } = store.processes(options.name)
        return areComplete && !options.isCutOff() ? 1 : count
      }
      return createFleetGate(options, countProcesses)
    },
  }
  return { ...store, [fleet]: parts }
}
