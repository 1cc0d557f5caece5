/**
 * Keeps the records of the gate: plain data that a structured clone or JSON can copy. Clients that share a store share
 * the gate. The package has a memory store and a browser store; write your own to share a gate between servers.
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
   * For a store of several processes: how many use one API key. While the store fails, each of them keeps to its part of
   * the quota, and sends few requests at a time.
   */
  readonly processes?: number
  /** Why the store failed last; `undefined` while it works. Contains nothing secret. */
  readonly failureReason?: () => StoreFailureReason | undefined
  /** Calls `listener` with each record stored under the name, at least by others, until the returned function is called. */
  readonly subscribe: (name: string, listener: (stored: unknown) => void) => () => void
}

/** Why a store does not work, as far as it can be told. */
export type StoreFailureReason =
  /** No connection: refused, closed, or the host is unknown. */
  | 'unreachable'
  /** Connected, but no response in time. */
  | 'timeout'
  /** The user or the password is wrong or missing. */
  | 'authentication'
  /** The user may not run the command, or not with this key (an ACL). */
  | 'permission'
  /** The store takes no changes: it may be a replica. */
  | 'read-only'
  | 'out-of-memory'
  /** The server that responds is no Redis, or does not run scripts. */
  | 'not-redis'
  | 'other'

export type StoreStatus = 'failed' | 'recovered'

/** Whether a record was last written two days before the newest one: all of its waits are over. */
export function isOutdated(record: unknown, newest: unknown): boolean {
  return writtenAt(record) < writtenAt(newest) - 2 * 86_400_000
}

function writtenAt(record: unknown): number {
  const { updatedAt }: { readonly updatedAt?: unknown } = Object(record)
  return typeof updatedAt === 'number' ? updatedAt : 0
}

/** What a store sends to its listeners when a record has been written. */
export interface RecordChange {
  readonly name: string
  readonly record: unknown
}
