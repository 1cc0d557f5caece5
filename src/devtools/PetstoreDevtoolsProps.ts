import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** Where the developer tools take their data from. */
export interface PetstoreDevtoolsProps {
  /** Default: the client of the nearest `PetstoreProvider`. */
  readonly client?: PetstoreClient | undefined
}
