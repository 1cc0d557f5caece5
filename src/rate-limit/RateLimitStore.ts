import type { Clock } from '../base/Clock.ts'
import type { GateRecord } from './GateRecord.ts'

/** Why a store failed, without anything that is secret. */
export type StoreFailureReason =
  /** There is no connection: refused, closed, or an unknown host. */
  | 'unreachable'
  /** A connection, and no response in time. */
  | 'timeout'
  /** The user or the password is wrong or missing. */
  | 'authentication'
  /** The user may not run the command, or not with this key (an ACL). */
  | 'permission'
  /** It takes no changes, as a replica. */
  | 'read-only'
  | 'out-of-memory'
  /** What responds is no Redis, or does not run scripts. */
  | 'not-redis'
  | 'other'

/**
 * Keeps the records of the gate: plain data that a structured clone or JSON can copy. Clients that share a store share
 * the gate. The package has `memoryStore` and `browserStore`; write your own to share a gate between servers.
 */
export interface RateLimitStore {
  /**
   * Changes one record atomically: no other update may run between reading and writing it. `change` receives the stored
   * value (`undefined` if there is none) and returns the new one; if it returns the same value, write nothing. You may
   * call `change` again to repeat the update.
   *
   * Rejects when the record could not be read or written. The gate then continues in memory, and tries again after 1 s,
   * then after growing pauses of up to a minute.
   */
  readonly update: (name: string, change: (stored: unknown) => unknown) => Promise<void>
  /**
   * Whether records and their names stay in the memory of this process. The names then contain the API key itself instead
   * of its hash, which takes real time that fake timers do not pass. Default `false`.
   */
  readonly inMemory?: boolean
  /**
   * The time of the store, in epoch ms, for machines whose clocks differ: the same for all who share the store, whatever
   * the clock of this machine says. Return `undefined` as long as it is not known; within the `change` of an update it has
   * to be. Without this function, and until it returns a time, times are those of each machine's clock: a machine whose
   * clock is ahead then sends in a cool-down.
   */
  readonly now?: () => number | undefined
  /**
   * Why the store failed last, or `undefined` if it has worked since. A handler adds it to its events and to `health()`, so
   * return nothing secret.
   */
  readonly failureReason?: () => StoreFailureReason | undefined
  /** Calls `listener` with each record that others store under the name, until the returned function is called. */
  readonly subscribe: (name: string, listener: (stored: unknown) => void) => () => void
}

/** A clock by which the records of a store are written. */
export interface StoreClock extends Clock {
  /** Translates a time (epoch ms) to the clock of this machine. */
  readonly toLocal: (time: number) => number
}

/** The clock of a store that offers one, else that of this machine. */
export function createStoreClock(store: RateLimitStore, clock: Clock): StoreClock {
  if (!store.now) return { ...clock, toLocal: (time) => time }
  const now = () => {
    try {
      const time = store.now?.()
      if (time !== undefined && Number.isFinite(time)) return time
    } catch {
      // The function is the app's.
    }
    return clock.now()
  }
  return { ...clock, now, toLocal: (time) => time - now() + clock.now() }
}

/** The requests in flight that this process has added to the record. */
export interface OwnBatches {
  /** Remembers the batches that a change has begun. */
  readonly note: (before: GateRecord, after: GateRecord) => void
  /**
   * Leaves out of two records what the other one knows better: of its own requests in flight a process knows more than the
   * store, of the others less, unless the store has lost them.
   */
  readonly divide: (stored: GateRecord, inMemory: GateRecord, hasLost: boolean) => [GateRecord, GateRecord]
}

/** The parts that only the records of a fleet need. */
export interface FleetRecords {
  /** The longest pause before a store that has failed is tried again, in ms. */
  readonly maxPause: number
  /** Creates a function that repairs the times of a record after the clock has moved, or returns the same record. */
  readonly createRepair: (clock: Clock) => (record: GateRecord) => GateRecord
  readonly createOwnBatches: () => OwnBatches
  /** Whether a stored value is older than a record that was stored before. */
  readonly isOlder: (stored: unknown, than: GateRecord) => boolean
}
