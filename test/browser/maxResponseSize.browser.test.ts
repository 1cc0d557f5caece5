import { expect, test } from 'vitest'
import { createPetstoreClient, isPetstoreError } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'

const text = '[{"id":9007199254740993,"name":"Dög 🐕"}]'
const size = new TextEncoder().encode(text).length

const clientWith = (maxResponseSize: number, headers: HeadersInit) =>
  createPetstoreClient({
    baseUrl: 'https://petstore.test/v1',
    apiKey: 'demo',
    fetch: async () => new Response(text, { headers }),
    rateLimitStore: createMemoryStore(),
    maxResponseSize,
  })

test.each([
  ['response', {}],
  ['`no-store` response, which is cloned,', { 'Cache-Control': 'no-store' }],
])('in a page, too, a %s may have `maxResponseSize` bytes and no more', async (_, headers) => {
  expect(await clientWith(size, headers).listCategories()).toEqual([{ id: '9007199254740993', name: 'Dög 🐕' }])
  const error: unknown = await clientWith(size - 1, headers)
    .listCategories()
    .catch((reason: unknown) => reason)
  expect(isPetstoreError(error) && error.kind === 'response-validation' && error.problem).toBe('too-large')
})
