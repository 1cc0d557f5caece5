/**
 * Where the records of the gate are kept: plain data that a structured clone or JSON can copy. Whoever shares a store
 * shares the gate. Made by the package: `memoryStore`, `browserStore`; write your own to share between servers.
 */
export interface RateLimitStore {
  /**
   * Changes the record of that name in one atomic step: nobody else may change it between the reading and the writing.
   * `change` gets what is stored (`undefined` if nothing is) and gives what is to be stored; the very same value means
   * that nothing is to be written. It may be called again should the step have to be repeated.
   *
   * Rejects when the record could not be read or written. The gate then goes on in memory.
   */
  readonly update: (name: string, change: (stored: unknown) => unknown) => Promise<void>
  /** Calls `listener` with each record that others write under that name, until the returned function is called. */
  readonly subscribe: (name: string, listener: (stored: unknown) => void) => () => void
}
