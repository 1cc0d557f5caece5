import { expect, test } from 'vitest'
import { createMemoryStore, createPetstoreClient, isPetstoreError } from '../../src/client.ts'

const text = '[{"id":9007199254740993,"name":"Dög 🐕"}]'
const size = new TextEncoder().encode(text).length

const clientWith = (maxResponseSize: number) =>
  createPetstoreClient({
    baseUrl: 'https://petstore.test/v1',
    apiKey: 'demo',
    fetch: async () => new Response(text),
    rateLimitStore: createMemoryStore(),
    maxResponseSize,
  })

test('in a page, too, a response may have so many bytes and no more', async () => {
  expect(await clientWith(size).listCategories()).toEqual([{ id: '9007199254740993', name: 'Dög 🐕' }])
  const error: unknown = await clientWith(size - 1)
    .listCategories()
    .catch((reason: unknown) => reason)
  expect(isPetstoreError(error) && error.kind === 'response-validation' && error.problem).toBe('too-large')
})
