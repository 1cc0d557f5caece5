import type { KeyedMutator } from 'swr'
import type { PetstoreError } from '../client/errors.ts'

/** SWR's result, and what the rate limit adds to it. Do not spread it: a component renders again only for the fields it reads. */
export interface UsePetstoreQueryResult<Output, Data = Output | undefined> {
  /** `undefined` until the first response. Stays while a later request is in progress, and when it fails. */
  readonly data: Data
  /** The error of the last request; `undefined` after a request succeeds. */
  readonly error: PetstoreError | undefined
  /** Whether the first request is in progress. */
  readonly isLoading: boolean
  /** Whether any request is in progress. */
  readonly isValidating: boolean
  /** While the rate limit delays the request: the earliest time at which it can leave, in epoch ms. */
  readonly retryAt: number | undefined
  /** When the last response arrived, in epoch ms, also if it was equal to the one before. `undefined` before the first. */
  readonly dataUpdatedAt: number | undefined
  /** Whether `refreshInterval` rests, since the quota is low and its rest is left to people. */
  readonly isPaused: boolean
  /** SWR's bound `mutate`, which changes the cached data. */
  readonly mutate: KeyedMutator<Output>
  /** Loads the data again, now. Settles when the response arrives; never rejects: `error` shows failures. */
  readonly refresh: () => Promise<void>
}
