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
  /** Calls `listener` with each record that others store under the name, until the returned function is called. */
  readonly subscribe: (name: string, listener: (stored: unknown) => void) => () => void
}
