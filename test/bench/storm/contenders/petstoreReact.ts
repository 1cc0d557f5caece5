import { createPetstoreClient, operations } from '../../../../src/client.ts'
import { createMemoryStore } from '../../../../src/rate-limit/stores/memoryStore.ts'
import type { Contender } from '../Contender.ts'

export const petstoreReact: Contender = {
  name: 'petstore-react',
  settings:
    'defaults; `retry: { maxWait: Infinity }` where the app accepts any wait; tabs share a store, as in a browser',
  start: () => {
    const rateLimitStore = createMemoryStore()
    return ({ baseUrl, apiKey, fetch, waitsForever }) => {
      const retry = waitsForever ? { maxWait: Number.POSITIVE_INFINITY } : {}
      const client = createPetstoreClient({ baseUrl, apiKey, fetch, rateLimitStore, retry })
      return {
        get: (petId, priority) => client.call(operations.getPet, { petId }, { priority }),
        post: (name, priority) => client.createCategory({ name }, { priority }),
        close: client.close,
      }
    }
  },
}
