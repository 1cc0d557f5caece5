import { expect, test } from 'vitest'
import { createPetstoreHandler } from '../../src/server.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import type { PetstoreEvent } from '../../src/client.ts'

test('the health of a handler tells whether its store works, and tries it again', async () => {
  const service = createPetstoreService()
  const memory = createMemoryStore()
  const events: PetstoreEvent[] = []
  let isBroken = false
  const handler = createPetstoreHandler({
    baseUrl: service.baseUrl,
    apiKey: 'demo',
    authorize: 'everybody',
    fetch: service.fetch,
    allowUnmarkedRequests: true,
    rateLimitStore: {
      ...memory,
      update: async (name, change) => {
        if (isBroken) throw new Error('The store is away.')
        return memory.update(name, change)
      },
    },
    onEvent: (event) => void events.push(event),
  })
  const list = async () => (await handler(new Request('https://shop.example/api/petstore/v1/categories'))).status
  expect([await list(), handler.health()]).toEqual([200, { store: 'ok' }])
  isBroken = true
  expect([await list(), handler.health()]).toEqual([200, { store: 'unavailable' }])
  isBroken = false
  await expect.poll(() => handler.health()).toEqual({ store: 'ok' })
  const ofStore = events.filter(({ type }) => type === 'rate-limit-store')
  const at = expect.any(Number)
  expect(ofStore).toEqual([
    { type: 'rate-limit-store', at, status: 'failed' },
    { type: 'rate-limit-store', at, status: 'recovered' },
  ])
  expect(service.requests).toHaveLength(2)
})
