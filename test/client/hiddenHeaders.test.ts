import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { json } from './client.setup.ts'

/** As a page sees the response of another origin. */
function fromElsewhere(response: Response): Response {
  Object.defineProperty(response, 'type', { value: 'cors' })
  return response
}

const announced = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' }

const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  warn.mockReset().mockReturnValue(undefined)
  // What was said once is not said again, so each test has a package of its own.
  vi.resetModules()
})
afterEach(() => vi.unstubAllEnvs())

async function listWith(response: () => Response, times = 1) {
  const { createMemoryStore, createPetstoreClient } = await import('../../src/client.ts')
  for (let count = 0; count < times; count += 1) {
    const client = createPetstoreClient({
      baseUrl: 'https://petstore.test/v1',
      rateLimitStore: createMemoryStore(),
      fetch: async () => response(),
    })
    await client.listCategories()
    await client.listCategories()
  }
}

test('rate-limit headers that a page cannot read are told of once, with the fix', async () => {
  await listWith(() => fromElsewhere(json([])), 3)
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^petstore-react: .*Access-Control-Expose-Headers: .*X-RateLimit-Remaining.*Retry-After/)],
  ])
})

test.each([
  ['of another origin that exposes them', () => fromElsewhere(json([], 200, announced))],
  ['of the same origin', () => json([])],
])('responses %s need no word', async (_, response) => {
  await listWith(response)
  expect(warn).not.toHaveBeenCalled()
})

test('in production nothing is said', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  await listWith(() => fromElsewhere(json([])))
  expect(warn).not.toHaveBeenCalled()
})
