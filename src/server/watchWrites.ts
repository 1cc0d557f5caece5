import { operationMethods } from '../client/createPetstoreClient.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** The same client, which calls `onWrite` after each call that may have changed something, also where it failed. */
export function watchWrites(client: PetstoreClient, onWrite: () => void): PetstoreClient {
  const call: PetstoreClient['call'] = async (operation, ...rest) => {
    try {
      return await client.call(operation, ...rest)
    } finally {
      if (operation.method !== 'GET') onWrite()
    }
  }
  return { ...client, ...operationMethods(call), call }
}
