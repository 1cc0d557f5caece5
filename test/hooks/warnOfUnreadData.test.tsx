import { cleanup, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
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

/** Prepares data with the client of a handler, and shows a page with them below these scopes, outermost first. */
async function show(handlerScope: string | undefined, scopes: readonly (string | undefined)[]): Promise<void> {
  const { operations, PetstoreProvider, prefetchQuery, useCategories } = await import('../../src/index.ts')
  const { SWRConfig } = await import('swr')
  const { client } = createPetstoreHandler({ ...handlerOptions, scope: handlerScope })
  const fallback = await prefetchQuery(client, operations.listCategories)
  const rateLimitStore = createMemoryStore()
  const Names = () => <p>{useCategories().data?.map(({ name }) => name) ?? 'nothing yet'}</p>
  const page = scopes.reduceRight<ReactElement>(
    (below, scope) => (
      <PetstoreProvider {...handlerOptions} rateLimitStore={rateLimitStore} scope={scope}>
        {below}
        <Names />
      </PetstoreProvider>
    ),
    <hr />,
  )
  render(<SWRConfig value={{ fallback, provider: () => new Map() }}>{page}</SWRConfig>)
  for (const name of await screen.findAllByText('Dog')) expect(name).toBeDefined()
  await vi.waitFor(() => expect(screen.getAllByText('Dog')).toHaveLength(scopes.length), 60_000)
}

test.each<[string, string | undefined, readonly (string | undefined)[]]>([
  ['a handler and a provider without a scope', undefined, [undefined]],
  ['another scope', 'ann', ['bob']],
  ['a scope that only begins in the same way', 'ann', ['ann"', 'anna']],
])('data of %s that no provider has cause one warning', async (_, handlerScope, scopes) => {
  await show(handlerScope, scopes)
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/no <PetstoreProvider>.*Scope of the data: \S+\. Of the providers: .+\.$/s)],
  ])
})

test.each<[string, readonly (string | undefined)[]]>([
  ['the provider', ['everybody']],
  ['a provider below another one', ['bob', 'everybody']],
])('data of the scope of %s cause no warning', async (_, scopes) => {
  await show('everybody', scopes)
  expect(warn).not.toHaveBeenCalled()
})

test('production prints no warning', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  await show(undefined, ['everybody'])
  expect(warn).not.toHaveBeenCalled()
})
