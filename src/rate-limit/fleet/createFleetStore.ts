import type { RateLimitStore } from '../RateLimitStore.ts'
import { readRecord } from '../readRecord.ts'
import { createClockRepair } from './clockRepair.ts'
import { createFleetGate } from './fleetGate.ts'
import type { KnownProcesses } from './knownProcesses.ts'
import { type Fleet, type FleetStore, fleet } from './FleetStore.ts'
import { leaseTime } from './leases.ts'
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
    processes: store.processes,
    createClock: (clock) => createStoreClock(clock, store.now),
    createRepair: createClockRepair,
    isOlder: (stored, than) => readRecord(stored).updatedAt < than.updatedAt,
    createGate: createFleetGate,
  }
  return { ...store, [fleet]: parts }
}
