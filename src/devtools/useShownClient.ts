import { useContext } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { PetstoreContext } from '../hooks/PetstoreContext.ts'

/** The client to show: the given one, or that of the nearest provider. */
export function useShownClient(client: PetstoreClient | undefined): PetstoreClient | undefined {
  const nearest = useContext(PetstoreContext)?.client
  return client ?? nearest
}
