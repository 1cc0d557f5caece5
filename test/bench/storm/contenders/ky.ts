import ky, { HTTPError, type KyInstance } from 'ky'
import { createPetstoreClient } from '../../../../src/client.ts'
import { createMemoryStore } from '../../../../src/rate-limit/stores/memoryStore.ts'
import type { Contender, PageClient, PageEnvironment } from '../Contender.ts'

/** Waits as long as Retry-After says, and repeats a POST only after a 429. */
function createKy({ baseUrl, apiKey, fetch }: PageEnvironment): KyInstance {
  return ky.create({
    prefixUrl: baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch,
    retry: {
      limit: 10,
      methods: ['get', 'post'],
      maxRetryAfter: Number.POSITIVE_INFINITY,
      jitter: true,
      shouldRetry: ({ error }) => {
        if (!(error instanceof HTTPError)) return undefined
        return error.request.method === 'POST' && error.response.status !== 429 ? false : undefined
      },
    },
    hooks: {
      // `shouldRetry` does not know the method of an error without a response, so this hook stops a repeated POST.
      beforeRetry: [
        ({ request, error }) => {
          if (request.method === 'POST' && !(error instanceof HTTPError)) throw error
        },
      ],
    },
  })
}

const pageClient = (client: KyInstance): PageClient => ({
  get: (id) => client.get(`pets/${id}`).json(),
  post: (name) => client.post('categories', { json: { name } }).json(),
})

export const kyContender: Contender = {
  name: 'ky',
  settings:
    '`retry: { limit: 10, methods: [get, post], maxRetryAfter: Infinity, jitter: true }`, POST repeated only after 429',
  start: () => (page) => pageClient(createKy(page)),
}

/** Its requests are sent by the gate of petstore-react. The tabs share a store, as in a browser. */
export const kyThroughGate: Contender = {
  name: 'ky, `fetch: client.fetch`',
  settings: 'as ky, with `timeout: false`: the time that a request waits at the gate is no time-out',
  start: () => {
    const rateLimitStore = createMemoryStore()
    return (page) => {
      const retry = page.waitsForever ? { maxWait: Number.POSITIVE_INFINITY } : {}
      const { fetch, close } = createPetstoreClient({ ...page, rateLimitStore, retry })
      return { ...pageClient(createKy({ ...page, fetch }).extend({ timeout: false })), close }
    }
  },
}
