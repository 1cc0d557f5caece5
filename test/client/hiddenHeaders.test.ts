import { beforeEach, expect, test, vi } from 'vitest'
import { json } from './client.setup.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'

/** Marks a response as one that a page gets from another origin. */
function fromAnotherOrigin(response: Response): Response {
  Object.defineProperty(response, 'type', { value: 'cors' })
  return response
}

const quotaHeaders = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' }

const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  warn.mockReset().mockReturnValue(undefined)
  // A warning is printed once per copy of the package, so each test loads its own copy.
  vi.resetModules()
})

async function listWith(response: () => Response, clients = 1) {
  const { createPetstoreClient } = await import('../../src/client.ts')
  for (let count = 0; count < clients; count += 1) {
    const client = createPetstoreClient({
      baseUrl: 'https://petstore.test/v1',
      rateLimitStore: createMemoryStore(),
      fetch: async () => response(),
    })
    await client.listCategories()
    await client.listCategories()
  }
}

test('rate-limit headers that a page cannot read cause one warning, which names the fix', async () => {
  await listWith(() => fromAnotherOrigin(json([])), 3)
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^petstore-react: .*Access-Control-Expose-Headers: .*X-RateLimit-Remaining.*Retry-After/)],
  ])
})

test.each([
  ['of another origin that exposes them', () => fromAnotherOrigin(json([], 200, quotaHeaders))],
  ['of the same origin', () => json([])],
])('responses %s cause no warning', async (_, response) => {
  await listWith(response)
  expect(warn).not.toHaveBeenCalled()
})
