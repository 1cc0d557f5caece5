import { type KeyedClient, operationMethods } from '../client/createPetstoreClient.ts'

/** The same client, which calls `onWrite` after each call that may have changed something, also where it failed. */
export function watchWrites(client: KeyedClient, onWrite: () => void): KeyedClient {
  const call: KeyedClient['call'] = async (operation, ...rest) => {
    try {
      return await client.call(operation, ...rest)
    } finally {
      if (operation.method !== 'GET') onWrite()
    }
  }
  return { ...client, ...operationMethods(call), call }
}
