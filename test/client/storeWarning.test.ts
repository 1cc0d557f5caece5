import { beforeEach, expect, test, vi } from 'vitest'
import type { RateLimitStore } from '../../src/client.ts'
import { json } from './client.setup.ts'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  warn.mockReset().mockReturnValue(undefined)
  // A warning is printed once per copy of the package, so each test loads its own copy.
  vi.resetModules()
})

const failing: RateLimitStore = { update: () => Promise.reject(new Error('out of order')), subscribe: () => () => {} }

/** Calls with two clients whose store fails, and returns how often they reported it. */
async function callWithFailingStore(): Promise<number> {
  const { createPetstoreClient } = await import('../../src/client.ts')
  let failures = 0
  for (const apiKey of ['demo', 'demo-2']) {
    const client = createPetstoreClient({
      baseUrl: 'https://petstore.test/v1',
      apiKey,
      rateLimitStore: failing,
      fetch: async () => json([]),
      onEvent: ({ type }) => (failures += type === 'rate-limit-store' ? 1 : 0),
    })
    expect(await client.listCategories()).toEqual([])
  }
  return failures
}

test('a store that fails is reported by each client, and causes one warning', async () => {
  expect(await callWithFailingStore()).toBe(2)
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^petstore-react: The rate-limit store failed\. The rate limit is kept in memory, /)],
  ])
})
