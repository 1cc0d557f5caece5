import { useEffect, useRef } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'

/**
 * Returns a function that reads the last `data` of this client and operation that was not `undefined`. SWR's own
 * `keepPreviousData` would show the data of one client under the next.
 */
export function usePrevious<Data>(
  client: PetstoreClient,
  { name }: Operation,
  data: Data | undefined,
): () => Data | undefined {
  const previous = useRef({ client, name, data })
  useEffect(() => {
    if (data !== undefined) previous.current = { client, name, data }
  })
  return () =>
    previous.current.client === client && previous.current.name === name ? previous.current.data : undefined
}
