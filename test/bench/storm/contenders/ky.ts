import ky, { HTTPError, type KyInstance } from 'ky'
import type { Contender, PageEnvironment } from '../Contender.ts'

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

export const kyContender: Contender = {
  name: 'ky',
  settings:
    '`retry: { limit: 10, methods: [get, post], maxRetryAfter: Infinity, jitter: true }`, POST repeated only after 429',
  start: () => (page) => {
    const client = createKy(page)
    return {
      get: (id) => client.get(`pets/${id}`).json(),
      post: (name) => client.post('categories', { json: { name } }).json(),
    }
  },
}
