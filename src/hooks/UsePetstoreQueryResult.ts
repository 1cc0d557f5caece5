import type { KeyedMutator } from 'swr'
import type { PetstoreError } from '../client/errors.ts'
import type { WaitReason } from '../rate-limit/Wait.ts'

/** SWR's result, and what the client adds to it. Do not spread it: a component renders again only for the fields it reads. */
export interface UsePetstoreQueryResult<Output, Data = Output | undefined> {
  /** `undefined` until the first response. Stays while a later request is in progress, and when it fails. */
  readonly data: Data
  /** The error of the last request; `undefined` after a request succeeds. */
  readonly error: PetstoreError | undefined
  /** Whether the first request is in progress. */
  readonly isLoading: boolean
  /** Whether any request is in progress. */
  readonly isValidating: boolean
  /** While the request waits: when it leaves, in epoch ms. */
  readonly retryAt: number | undefined
  /** While the request waits: why. */
  readonly waitReason: WaitReason | undefined
  /** Whether the request may also leave later than `retryAt`: nobody knows yet what is left by then. */
  readonly isRetryAtEarliest: boolean
  /**
   * When the last response arrived, in epoch ms, also if it was equal to the one before; at the server, for data of
   * `prefetchQuery`. `undefined` before the first.
   */
  readonly dataUpdatedAt: number | undefined
  /** Whether `refreshInterval` rests, since the quota is low and its rest is left to people. */
  readonly isPaused: boolean
  /** SWR's bound `mutate`, which changes the cached data. */
  readonly mutate: KeyedMutator<Output>
  /**
   * Loads the data again, now. Settles when the response arrives, or when the request is canceled since no component shows
   * the data any more; never rejects: `error` shows failures.
   */
  readonly refresh: () => Promise<void>
}
