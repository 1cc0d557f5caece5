import { cleanup, render, screen } from '@testing-library/react'
import * as fc from 'fast-check'
import { unstable_serialize } from 'swr'
import { afterEach, expect, test } from 'vitest'
import {
  createPetstoreClient,
  operations,
  PetstoreProvider,
  prefetchCategories,
  useCategories,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { cacheKey } from '../../src/client/cacheKey.ts'
import { noResponse, OwnCache, optionsFor } from '../renderOnService.tsx'

afterEach(cleanup)

const categories = [
  { id: '9007199254740993', name: 'Dog', description: 'Loyal' },
  { id: '2', name: 'Cat' },
]

async function prefetch(cacheScope: string) {
  const service = createPetstoreService({ categories })
  return prefetchCategories(createPetstoreClient({ ...optionsFor(service), cacheScope }))
}

const scopes = [
  'me',
  '',
  '"',
  "'",
  '\\',
  '\\"',
  '",',
  '@"a",',
  '$inf$',
  'null',
  'ä 犬 🐕',
  '\ud83d',
  '\u2028',
  '\n\0',
  '__proto__',
]

test.each(scopes)('a page with the same scope (%j) shows the rows before any response', async (cacheScope) => {
  const fallback = await prefetch(cacheScope)
  const Names = () => (
    <p>
      {useCategories()
        .data?.map(({ id, name }) => `${name} ${id}`)
        .join() ?? 'nothing yet'}
    </p>
  )
  const page = (scope: string) => (
    <OwnCache fallback={JSON.parse(JSON.stringify(fallback))}>
      <PetstoreProvider {...optionsFor({ fetch: noResponse })} cacheScope={scope}>
        <Names />
      </PetstoreProvider>
    </OwnCache>
  )
  const { rerender } = render(page(cacheScope))
  expect(screen.getByText('Dog 9007199254740993,Cat 2')).toBeDefined()
  rerender(page(`${cacheScope}!`))
  expect(screen.getByText('nothing yet')).toBeDefined()
})

test('uses the key that SWR serializes, for any scope', async () => {
  const client = createPetstoreClient(optionsFor({ fetch: noResponse }))
  const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyText, fc.constantFrom(...scopes)), async (cacheScope) => {
      const settled = { ...client, cacheScope, listCategories: async () => [] }
      const key = unstable_serialize(cacheKey(settled, operations.listCategories, undefined))
      expect(await prefetchCategories(settled)).toEqual({ [key]: [] })
    }),
  )
})

test('returns plain JSON with exact ids and without secrets', async () => {
  const fallback = await prefetch('me')
  const text = JSON.stringify(fallback)
  expect(JSON.parse(text)).toEqual({ [Object.keys(fallback).join()]: categories })
  expect(text).not.toMatch(/demo|https/)
  // React refuses other objects as props from server components.
  for (const row of Object.values(fallback).flat()) expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
})

test('throws failures, and can be canceled', async () => {
  const service = createPetstoreService({ keys: ['other'] })
  await expect(prefetchCategories(createPetstoreClient(optionsFor(service)))).rejects.toMatchObject({
    kind: 'authentication',
  })
  const client = createPetstoreClient(optionsFor({ fetch: noResponse }))
  const leaving = new AbortController()
  const prefetched = prefetchCategories(client, { signal: leaving.signal })
  leaving.abort()
  await expect(prefetched).rejects.toMatchObject({ name: 'AbortError' })
})
