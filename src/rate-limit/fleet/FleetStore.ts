import type { Clock } from '../../base/Clock.ts'
import type { GateRecord } from '../GateRecord.ts'
import type { PageGate, PageGateOptions } from '../pageGate.ts'
import type { RateLimitStore } from '../RateLimitStore.ts'
import type { QueuedRequest } from '../requestQueue.ts'
import type { OwnBatches } from './ownBatches.ts'

/** A clock by which the records of a store are written. */
export interface StoreClock extends Clock {
  /** Translates a time (epoch ms) to the clock of this machine. */
  readonly toLocal: (time: number) => number
}

/** Parts of the gate that only a fleet needs. A store brings them, so that browsers do not load them. */
export interface Fleet {
  /** How long units count as in flight if their process says nothing more, in ms. */
  readonly leaseTime: number
  /** The longest pause before a store that has failed is tried again, in ms. */
  readonly maxPause: number
  readonly createClock: (clock: Clock) => StoreClock
  /** Creates a function that repairs the times of a record after the clock has moved, or returns the same record. */
  readonly createRepair: (clock: Clock) => (record: GateRecord) => GateRecord
  readonly createOwnBatches: () => OwnBatches
  /** Whether a stored value is older than a record that was stored before. */
  readonly isOlder: (stored: unknown, than: GateRecord) => boolean
  readonly createGate: <Request extends QueuedRequest>(options: PageGateOptions<Request>) => PageGate<Request>
}

/** A global symbol, so that two copies of the package share it. */
export const fleet: unique symbol = Symbol.for('petstore-react.fleet')

export interface FleetStore extends RateLimitStore {
  readonly [fleet]: Fleet
}

export function fleetOf(store: RateLimitStore): Fleet | undefined {
  return isFleetStore(store) ? store[fleet] : undefined
}

function isFleetStore(store: RateLimitStore): store is FleetStore {
  return fleet in store
}
