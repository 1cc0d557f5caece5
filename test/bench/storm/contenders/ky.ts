import ky, { HTTPError, type KyInstance } from 'ky'
import PQueue from 'p-queue'
import type { Contender, PageEnvironment } from '../Contender.ts'

/** Waits as long as Retry-After says, and repeats a POST only after a 429. */
export function createKy({ baseUrl, apiKey, fetch }: PageEnvironment): KyInstance {
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

export const kyWithQueue: Contender = {
  name: 'ky + p-queue',
  settings:
    'as ky, each call through `new PQueue({ intervalCap: 60, interval: 60_000, carryoverIntervalCount: true })`, users with `priority: 1`',
  start: () => (page) => {
    const client = createKy(page)
    // Configured for the plan. Each tab has a queue of its own, because nothing is shared between tabs.
    const queue = new PQueue({ intervalCap: 60, interval: 60_000, carryoverIntervalCount: true })
    const priorityOf = (priority: string) => ({ priority: priority === 'user' ? 1 : 0 })
    return {
      get: (id, priority) => queue.add(() => client.get(`pets/${id}`).json(), priorityOf(priority)),
      post: (name, priority) =>
        queue.add(() => client.post('categories', { json: { name } }).json(), priorityOf(priority)),
    }
  },
}
