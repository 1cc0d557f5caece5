import * as z from 'zod/mini'
import { defineOperation, type PetstoreClient } from '../../src/index.ts'
import type { CallTracker } from './createCallTracker.ts'
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
export function openPetstoreTab(client: PetstoreClient, { trackCall }: CallTracker): SimulatedTab {
  return {
    get: (id, isBackground = false) =>
      trackCall(client.call(getItem, { id: String(id) }, { priority: isBackground ? 'background' : 'user' })),
    post: (name) => trackCall(client.createCategory({ name })),
    close: client.close,
  }
}

interface FetchTabOptions {
  readonly baseUrl: string
  readonly send: SendRequest
  readonly sleep: (ms: number) => Promise<void>
}

/** A page that uses plain `fetch` with the usual retry loop: up to ten attempts, one second apart. */
export function openFetchTab({ baseUrl, send, sleep }: FetchTabOptions, { trackCall }: CallTracker): SimulatedTab {
  const closing = new AbortController()
  const { signal } = closing

  async function fetchWithRetries(path: string, init: RequestInit = {}): Promise<void> {
    const headers = { Authorization: 'Bearer demo', 'Content-Type': 'application/json' }
    for (let attempt = 0; attempt < 10; attempt += 1) {
      signal.throwIfAborted()
      if (attempt > 0) await sleep(1_000)
      const response = await send(new Request(baseUrl + path, { ...init, headers, signal }))
      if (response.ok) return
    }
    throw new Error('All attempts failed.')
  }

  return {
    get: (id) => trackCall(fetchWithRetries(`/items/${id}`)),
    post: (name) => trackCall(fetchWithRetries('/categories', { method: 'POST', body: JSON.stringify({ name }) })),
    close: () => closing.abort(),
  }
}
