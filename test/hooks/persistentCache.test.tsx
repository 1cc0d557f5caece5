import { cleanup, render, screen, waitFor } from '@testing-library/react'
import type { Cache } from 'swr'
import type * as swr from 'swr'
import { afterEach, expect, test, vi } from 'vitest'
import type * as petstore from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress } from '../renderOnService.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  localStorage.clear()
})

type Package = typeof petstore & Pick<typeof swr, 'SWRConfig'>

/** Loads the package as a new page does: nothing but the storage remains of earlier pages. */
async function newPage(): Promise<Package> {
  cleanup()
  vi.resetModules()
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description?.startsWith('petstore-react.')) Reflect.deleteProperty(globalThis, symbol)
  }
  return { ...(await import('../../src/index.ts')), SWRConfig: (await import('swr')).SWRConfig }
}

/** The cache provider of SWR's documentation: it reads the storage first, and writes it when the page unloads. */
function storedCache() {
  const cache = new Map<string, object>(JSON.parse(localStorage.getItem('cache') ?? '[]'))
  return { cache, unload: () => localStorage.setItem('cache', JSON.stringify([...cache])) }
}

function namesOf({ useCategories }: Package) {
  return function Names() {
    const { data } = useCategories()
    return <p>{data ? data.map(({ name }) => name).join() : 'nothing yet'}</p>
  }
}

const keysOf = (cache: Cache) => [...cache.keys()].filter((key) => key.includes('listCategories'))

function serviceOf(name: string, key: string) {
  return { ...createPetstoreService({ categories: [{ name }], keys: [key] }), baseUrl: newAddress() }
}

async function visit(
  page: Package,
  { baseUrl, fetch }: ReturnType<typeof serviceOf>,
  options: { readonly apiKey: string; readonly scope?: string },
) {
  const { cache, unload } = storedCache()
  const Names = namesOf(page)
  render(
    <page.SWRConfig value={{ provider: () => cache }}>
      <page.PetstoreProvider {...{ baseUrl, fetch, ...options }}>
        <Names />
      </page.PetstoreProvider>
    </page.SWRConfig>,
  )
  const firstText = screen.getByRole('paragraph').textContent
  await waitFor(() => expect(screen.getByRole('paragraph').textContent).not.toBe('nothing yet'))
  unload()
  return { cache, firstText }
}

test('a persistent cache holds only the list of the latest page, however many pages were loaded', async () => {
  const service = serviceOf('Dog', 'demo')
  for (let page = 1; page <= 4; page += 1) {
    // In turn: each page is loaded after the last one has stored its cache.
    // oxlint-disable-next-line no-await-in-loop
    const { cache, firstText } = await visit(await newPage(), service, { apiKey: 'demo' })
    expect(firstText).toBe('nothing yet')
    expect(keysOf(cache)).toHaveLength(1)
  }
})

test("entries of the app, and of the app's own scope, survive a reload", async () => {
  localStorage.setItem(
    'cache',
    JSON.stringify([
      ['@"petstore","mine","search",null,', { data: 1 }],
      ['/api', { data: 2 }],
    ]),
  )
  const service = serviceOf('Dog', 'demo')
  const options = { apiKey: 'demo', scope: 'user 1' }
  const { cache } = await visit(await newPage(), service, options)
  expect([...cache.keys()]).toEqual(expect.arrayContaining(['@"petstore","mine","search",null,', '/api']))
  expect(await visit(await newPage(), service, options)).toMatchObject({ firstText: 'Dog' })
})

test('a list that was stored for one key is never shown for the next', async () => {
  await visit(await newPage(), serviceOf('Dog', 'first'), { apiKey: 'first' })
  const { cache, firstText } = await visit(await newPage(), serviceOf('Cat', 'second'), { apiKey: 'second' })
  expect(firstText).toBe('nothing yet')
  expect(JSON.stringify([...cache])).not.toContain('Dog')
})

test('a provider that mounts again and again leaves only its latest list in the cache', async () => {
  const page = await newPage()
  const Names = namesOf(page)
  const service = serviceOf('Dog', 'demo')
  const cache = new Map()
  const app = (mount: number) => (
    <page.SWRConfig value={{ provider: () => cache }}>
      <page.PetstoreProvider key={mount} baseUrl={service.baseUrl} apiKey={() => 'demo'} fetch={service.fetch}>
        <Names />
      </page.PetstoreProvider>
    </page.SWRConfig>
  )
  const { rerender } = render(app(0))
  for (let mount = 1; mount <= 4; mount += 1) {
    // In turn: each mount follows the one whose rows are on the screen.
    // oxlint-disable-next-line no-await-in-loop
    await screen.findByText('Dog')
    rerender(app(mount))
  }
  await screen.findByText('Dog')
  await waitFor(() => expect(keysOf(cache)).toHaveLength(1))
})
