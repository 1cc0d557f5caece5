import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPetstoreHandler } from '../../src/server.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  warn.mockReset().mockReturnValue(undefined)
  // A warning is printed once per copy of the package, so each test loads its own copy.
  vi.resetModules()
})
afterEach(() => {
  cleanup()
  vi.unstubAllEnvs()
})

const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
const handlerOptions = {
  baseUrl: service.baseUrl,
  apiKey: 'demo',
  authorize: 'everybody',
  fetch: service.fetch,
} as const

/** Prepares data with the client of a handler, and shows a page with them. */
async function show(handlerScope: string | undefined, scope: string | undefined): Promise<void> {
  const { operations, PetstoreProvider, prefetchQuery, useCategories } = await import('../../src/index.ts')
  const { client } = createPetstoreHandler({ ...handlerOptions, scope: handlerScope })
  const prefetched = await prefetchQuery(client, operations.listCategories)
  const Names = () => <p>{useCategories().data?.map(({ name }) => name) ?? 'nothing yet'}</p>
  render(
    <PetstoreProvider {...handlerOptions} rateLimitStore={createMemoryStore()} scope={scope} prefetched={prefetched}>
      <Names />
    </PetstoreProvider>,
  )
  await screen.findByText('Dog')
}

test.each<[string, string | undefined, string | undefined]>([
  ['handler and provider without a scope', undefined, undefined],
  ['handler and provider with two scopes', 'ann', 'bob'],
  ['a provider whose scope begins with that of the handler', 'ann', 'ann"'],
])('data of another scope than that of the provider cause one warning: %s', async (_, handlerScope, scope) => {
  await show(handlerScope, scope)
  expect(warn.mock.calls).toEqual([[expect.stringContaining('are of another scope than the <PetstoreProvider>')]])
})

test('data of the scope of the provider cause no warning', async () => {
  await show('everybody', 'everybody')
  expect(warn).not.toHaveBeenCalled()
})

test('production prints no warning', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  await show(undefined, 'everybody')
  expect(warn).not.toHaveBeenCalled()
})
