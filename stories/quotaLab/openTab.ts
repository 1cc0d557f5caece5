import * as z from 'zod/mini'
import { defineOperation, type PetstoreClient } from '../../src/index.ts'
import type { PageTracker } from './createCallTracker.ts'
import type { RetryPolicy } from './retryPolicies.ts'
import type { SimulatedTab } from './trafficScenarios.ts'

export type SendRequest = (request: Request) => Promise<Response>

/** An operation with an id: equal requests at the same time would share one response. */
export const getItem = defineOperation({
  name: 'getItem',
  path: '/items/{id}',
  input: z.object({ id: z.string() }),
  output: z.unknown(),
})

/** A page that uses petstore-react. */
export function openPetstoreTab(client: PetstoreClient, { trackCall, close }: PageTracker): SimulatedTab {
  return {
    get: (id, isBackground = false) =>
      trackCall(client.call(getItem, { id: String(id) }, { priority: isBackground ? 'background' : 'user' })),
    post: (name) => trackCall(client.createCategory({ name })),
    close: () => {
      close()
      client.close()
    },
  }
}

interface FetchTabOptions {
  readonly baseUrl: string
  readonly send: SendRequest
  readonly sleep: (ms: number) => Promise<void>
  readonly now: () => number
  readonly retryPolicy: RetryPolicy
}

/** Attempts of one call, the first one included. */
const maxAttempts = 10

/** A page that uses `fetch`. Each call retries on its own: nothing is shared between calls. */
export function openFetchTab(options: FetchTabOptions, { trackCall, close }: PageTracker): SimulatedTab {
  const { baseUrl, send, sleep, now, retryPolicy } = options
  const open = new Set<AbortController>()

  async function fetchWithRetries(path: string, init: RequestInit = {}): Promise<void> {
    const closing = new AbortController()
    const { signal } = closing
    const headers = { Authorization: 'Bearer demo', 'Content-Type': 'application/json' }
    open.add(closing)
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      signal.throwIfAborted()
      const response = await send(new Request(baseUrl + path, { ...init, headers, signal }))
      if (response.ok) return
      const wait = retryPolicy(response, attempt, now())
      if (wait === undefined || attempt === maxAttempts) break
      await sleep(wait)
    }
    throw new Error('All attempts failed.')
  }

  return {
    get: (id) => trackCall(fetchWithRetries(`/items/${id}`)),
    post: (name) => trackCall(fetchWithRetries('/categories', { method: 'POST', body: JSON.stringify({ name }) })),
    close: () => {
      close()
      for (const closing of open) closing.abort()
    },
  }
}
