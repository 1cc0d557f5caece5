import { act, screen } from '@testing-library/react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { SWRConfig } from 'swr'
import { afterEach, expect, test, vi } from 'vitest'
import { CategoryList, type CategoryListProps } from '../../src/index.ts'
import { createPetstoreClient, PetstoreProvider, prefetchQuery, operations } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { filterBox, names } from './CategoryList.setup.tsx'
import { cleanPage } from './page.setup.ts'

cleanPage()

let root: Root | undefined
afterEach(() => act(() => root?.unmount()))

test.each([
  ['without data', {}, undefined],
  ['with data', { selectionMode: 'multiple', order: 'name' }, 250],
  ['empty', {}, 0],
] satisfies [string, CategoryListProps, number | undefined][])('M6 hydrates %s', async (_, props, count) => {
  const service = createPetstoreService({ categories: count ?? 5 })
  const options = { ...optionsFor(service), scope: `page-${String(count)}` }
  const fallback =
    count === undefined ? {} : await prefetchQuery(createPetstoreClient(options), operations.listCategories)
  const app = (
    <SWRConfig value={{ fallback, provider: () => new Map() }}>
      <PetstoreProvider {...options}>
        <CategoryList {...props} />
      </PetstoreProvider>
    </SWRConfig>
  )
  const container = document.createElement('div')
  container.innerHTML = renderToString(app)
  vi.mocked(console.error).mockClear() // React 18 warns of SWR's effects, since jsdom has a document and a server has none
  document.body.append(container)
  const section = container.querySelector('section')
  const mismatched = vi.fn<(error: unknown) => void>()
  await act(async () => {
    root = hydrateRoot(container, app, { onRecoverableError: mismatched })
  })
  expect(await screen.findByText(count === 0 ? 'No categories yet' : /^\d+ categories$/)).toBeDefined()
  expect(mismatched).not.toHaveBeenCalled()
  expect(container.querySelector('section')).toBe(section)
})

test.each(['with data', 'without data'])('F1 filters by the text typed before hydration, %s', async (which) => {
  const service = createPetstoreService({ categories: [{ name: 'Dog' }, { name: 'Cat' }] })
  const options = { ...optionsFor(service), scope: `typed ${which}` }
  const fallback =
    which === 'with data' ? await prefetchQuery(createPetstoreClient(options), operations.listCategories) : {}
  const app = (
    <SWRConfig value={{ fallback, provider: () => new Map() }}>
      <PetstoreProvider {...options}>
        <CategoryList />
      </PetstoreProvider>
    </SWRConfig>
  )
  const container = document.createElement('div')
  container.innerHTML = renderToString(app)
  vi.mocked(console.error).mockClear() // as above
  document.body.append(container)
  filterBox().value = 'cat'
  await act(async () => {
    root = hydrateRoot(container, app)
  })
  expect(await screen.findByText('1 of 2 categories')).toBeDefined()
  expect([filterBox().value, names()]).toEqual(['cat', ['Cat']])
})
