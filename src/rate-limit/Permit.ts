import type { Release } from './sentRequests.ts'

/** Allows one request to leave. */
export interface Permit {
  /** Epoch ms. */
  readonly sentAt: number
  /**
   * Call it once, when the request has ended: with what its response says, or with nothing if it failed without one.
   * Resolves when the gate has recorded it.
   */
  readonly release: Release
  /** Whether the process of a fleet may end with the response, so that it has to be recorded before. Call it after `release`. */
  readonly isLast?: (() => boolean) | undefined
}
