import * as z from 'zod/mini'
import { defineOperation, type PetstoreClient } from '../../src/client.ts'

/** A page of the simulated app. Its calls reject as those of an app do. */
export interface SimulatedTab {
  /** Requests an item. A background request lets the requests of people go first. */
  readonly get: (id: number, isBackground?: boolean) => Promise<unknown>
  /** Creates a category. */
  readonly post: (name: string) => Promise<unknown>
  /** Closes or reloads the page, which aborts its requests. */
  readonly close: () => void
}

export type SendRequest = (request: Request) => Promise<Response>

/** A GET with an id, so that requests differ: equal ones at the same time would share one response. */
export const getItem = defineOperation({
  name: 'getItem',
  path: '/items/{id}',
  input: z.object({ id: z.string() }),
  output: z.unknown(),
})

/** A page that uses petstore-react. */
export function openPetstoreTab(client: PetstoreClient): SimulatedTab {
  return {
    get: (id, isBackground = false) =>
      client.call(getItem, { id: String(id) }, { priority: isBackground ? 'background' : 'user' }),
    post: (name) => client.createCategory({ name }),
    close: () => client.close(),
  }
}

/**
 * How long a call waits after a failed attempt, in ms. `undefined`: it gives up.
 *
 * @param attempt - 1 after the first attempt
 */
export type RetryPolicy = (response: Response, attempt: number) => number | undefined

/** The usual loop around `fetch`: once a second, whatever the response says. */
export const retryEverySecond: RetryPolicy = () => 1_000

/**
 * What good libraries do for each call: wait for the seconds of `Retry-After`, back off exponentially without it, and
 * give up at a ban. The delays are those that ky documents.
 */
export const honorRetryAfter: RetryPolicy = ({ status, headers }, attempt) => {
  if (status !== 429) return undefined
  const retryAfter = headers.get('Retry-After')
  return retryAfter === null ? 300 * 2 ** (attempt - 1) : Number(retryAfter) * 1_000
}

interface FetchTabOptions {
  readonly baseUrl: string
  readonly send: SendRequest
  readonly sleep: (ms: number) => Promise<void>
  readonly retryPolicy: RetryPolicy
}

/** Attempts of one call, the first one included. */
const maxAttempts = 10

/** A page that uses `fetch`. Each call retries on its own: nothing is shared between calls. */
export function openFetchTab({ baseUrl, send, sleep, retryPolicy }: FetchTabOptions): SimulatedTab {
  const open = new Set<AbortController>()

  async function fetchWithRetries(path: string, init: RequestInit = {}): Promise<void> {
    const closing = new AbortController()
    const { signal } = closing
    open.add(closing)
    const headers = { Authorization: 'Bearer demo', 'Content-Type': 'application/json' }
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      signal.throwIfAborted()
      const response = await send(new Request(baseUrl + path, { ...init, headers, signal }))
      if (response.ok) return
      const wait = retryPolicy(response, attempt)
      if (wait === undefined || attempt === maxAttempts) break
      await sleep(wait)
    }
    throw new Error('All attempts failed.')
  }

  return {
    get: (id) => fetchWithRetries(`/items/${id}`),
    post: (name) => fetchWithRetries('/categories', { method: 'POST', body: JSON.stringify({ name }) }),
    close: () => {
      for (const closing of open) closing.abort()
    },
  }
}
