import { cleanup, render, screen } from '@testing-library/react'
import * as fc from 'fast-check'
import { unstable_serialize } from 'swr'
import { afterEach, expect, test } from 'vitest'
import {
  createPetstoreClient,
  defineOperation,
  PetstoreProvider,
  prefetchQuery,
  operations,
  useCategories,
} from '../../src/index.ts'
import * as z from 'zod/mini'
import { createPetstoreService } from '../../src/testing.ts'
import { cacheKey } from '../../src/client/cacheKey.ts'
import { noResponse, OwnCache, optionsFor } from '../renderOnService.tsx'

afterEach(cleanup)

const anything = defineOperation({ name: 'anything', path: '/anything', input: z.unknown(), output: z.unknown() })

const categories = [
  { id: '9007199254740993', name: 'Dog', description: 'Loyal' },
  { id: '2', name: 'Cat' },
]

async function prefetch(scope: string) {
  const service = createPetstoreService({ categories })
  return prefetchQuery(createPetstoreClient({ ...optionsFor(service), scope }), operations.listCategories)
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

test.each(scopes)('a page with the same scope (%j) shows the rows before any response', async (scope) => {
  const prefetched = JSON.parse(JSON.stringify(await prefetch(scope)))
  const Names = () => (
    <p>
      {useCategories()
        .data?.map(({ id, name }) => `${name} ${id}`)
        .join() ?? 'nothing yet'}
    </p>
  )
  const page = (shownScope: string) => (
    <OwnCache>
      <PetstoreProvider {...optionsFor({ fetch: noResponse })} scope={shownScope} prefetched={prefetched}>
        <Names />
      </PetstoreProvider>
    </OwnCache>
  )
  const { rerender } = render(page(scope))
  expect(screen.getByText('Dog 9007199254740993,Cat 2')).toBeDefined()
  rerender(page(`${scope}!`))
  expect(screen.getByText('nothing yet')).toBeDefined()
})

test('prefetchQuery uses the key that SWR serializes, for any scope and any plain input', async () => {
  const client = createPetstoreClient(optionsFor({ fetch: noResponse }))
  const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
  const anyScope = fc.oneof(anyText, fc.constantFrom(...scopes))
  const anyInput = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('__proto__', 'a', 'aa', 'ä', '10', '9')),
      fc.anything({
        withDate: true,
        maxDepth: 2,
        withNullPrototype: false,
        withObjectString: false,
        values: [fc.string(), fc.double(), fc.boolean(), fc.constant(undefined), fc.constant(null)],
      }),
    ),
    fc.constant(undefined),
  )
  await fc.assert(
    fc.asyncProperty(anyScope, anyInput, async (scope, input) => {
      const stub = { ...client, scope: 'of the client', call: async () => ['data'] as never }
      const key = unstable_serialize(cacheKey({ scope }, anything, input))
      const prefetched = await prefetchQuery(stub, anything, input, { scope })
      expect(prefetched).toEqual({ [key]: ['data'], [`${key}loadedAt`]: expect.any(Number) })
    }),
  )
})

test('prefetchQuery returns plain JSON with exact ids and without secrets', async () => {
  const fallback = await prefetch('me')
  const text = JSON.stringify(fallback)
  const [key, timeKey] = Object.keys(fallback)
  expect(JSON.parse(text)).toEqual({ [key ?? '']: categories, [timeKey ?? '']: expect.any(Number) })
  expect(text).not.toMatch(/demo|https/)
  // React refuses other objects as props from server components.
  for (const row of [fallback[key ?? '']].flat()) expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
})

test('prefetchQuery throws failures, and can be canceled', async () => {
  const service = createPetstoreService({ keys: ['other'] })
  await expect(
    prefetchQuery(createPetstoreClient(optionsFor(service)), operations.listCategories),
  ).rejects.toMatchObject({
    kind: 'authentication',
  })
  const client = createPetstoreClient(optionsFor({ fetch: noResponse }))
  const controller = new AbortController()
  const prefetched = prefetchQuery(client, operations.listCategories, undefined, { signal: controller.signal })
  controller.abort()
  await expect(prefetched).rejects.toMatchObject({ name: 'AbortError' })
})
