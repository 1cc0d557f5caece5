import retryFunction from 'p-retry'
import { ResponseError, type Contender, sendOnce } from '../Contender.ts'

const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

/** Reads both forms of Retry-After, as most recipes do, in ms. */
function retryAfter(response: Response): number {
  const value = response.headers.get('Retry-After')
  if (value === null) return 0
  const seconds = Number(value)
  return Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000
}

const isRefusal = (error: unknown): error is ResponseError =>
  error instanceof ResponseError && error.response.status === 429

export const pRetry: Contender = {
  name: 'p-retry + fetch',
  settings: '`retries: 10, randomize: true`, waits for Retry-After in `onFailedAttempt`, POST repeated only after 429',
  start: () => (page) => {
    const call = (path: string, body?: unknown) =>
      retryFunction(() => sendOnce(page, path, body), {
        retries: 10,
        randomize: true,
        onFailedAttempt: async ({ error }) => {
          if (isRefusal(error)) await sleep(retryAfter(error.response))
        },
        shouldRetry: ({ error }) => {
          if (isRefusal(error)) return true
          return body === undefined && (!(error instanceof ResponseError) || error.response.status >= 500)
        },
      })
    return {
      get: (id) => call(`/pets/${id}`),
      post: (name) => call('/categories', { name }),
    }
  },
}
