import { act, screen, waitFor } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { SWRConfig } from 'swr'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CategoryList, createPetstoreClient, operations, PetstoreProvider, prefetchQuery } from '../../src/index.ts'
import type { CategoryListProps } from '../../src/index.ts'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { filterBox, names } from './CategoryList.setup.tsx'
import { cleanPage, dropLayoutEffectWarnings } from './page.setup.ts'

cleanPage()

let scopes = 0

/** Puts the server HTML of a list into the page, with its rows if they are prefetched. `hydrate` hydrates it. */
async function serverPage(
  categories: NonNullable<PetstoreServiceOptions['categories']>,
  isPrefetched: boolean,
  props: CategoryListProps = {},
) {
  // The data of a scope belong to the first address that uses it, and each page has another address.
  scopes += 1
  const options = { ...optionsFor(createPetstoreService({ categories })), scope: `page-${scopes}` }
  const fallback = isPrefetched ? await prefetchQuery(createPetstoreClient(options), operations.listCategories) : {}
  const app = (
    <SWRConfig value={{ fallback, provider: () => new Map() }}>
      <PetstoreProvider {...options}>
        <CategoryList {...props} />
      </PetstoreProvider>
    </SWRConfig>
  )
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(app)
  dropLayoutEffectWarnings()
  const mismatched = vi.fn<(error: unknown) => void>()
  const hydrate = async () => {
    const root = await act(async () => hydrateRoot(container, app, { onRecoverableError: mismatched }))
    onTestFinished(() => act(() => root.unmount()))
  }
  return { container, hydrate, mismatched }
}

test.each([
  ['a list that loads', {}, undefined, 'Loading categories…', 0],
  ['250 rows, of which it has 200', { selectionMode: 'multiple', order: 'name' }, 250, 'Showing 200 of 250', 200],
  ['an empty list', {}, 0, 'No categories yet', 0],
] satisfies [string, CategoryListProps, prefetched: number | undefined, text: string, rowCount: number][])(
  'M6 hydrates the server HTML of %s',
  async (_, props, prefetched, text, rowCount) => {
    const { container, hydrate, mismatched } = await serverPage(prefetched ?? 5, prefetched !== undefined, props)
    const section = container.querySelector('section')
    expect(section?.textContent).toContain(text)
    expect(container.querySelectorAll('li')).toHaveLength(rowCount)
    await hydrate()
    expect(mismatched).not.toHaveBeenCalled()
    expect(container.querySelector('section')).toBe(section)
    // The list that loads gets its rows. The others are never busy.
    await waitFor(() => expect(section?.getAttribute('aria-busy')).toBeNull())
  },
)

test.each([
  ['with prefetched data', true],
  ['without', false],
])('F1 filters by the text typed before hydration, %s', async (_, isPrefetched) => {
  const { hydrate } = await serverPage([{ name: 'Dog' }, { name: 'Cat' }], isPrefetched)
  filterBox().value = 'cat'
  await hydrate()
  expect(await screen.findByText('1 of 2 categories')).toBeDefined()
  expect([filterBox().value, names()]).toEqual(['cat', ['Cat']])
})
