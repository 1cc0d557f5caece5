import { act, screen } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { SWRConfig } from 'swr'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CategoryList, type CategoryListProps } from '../../src/index.ts'
import { createPetstoreClient, PetstoreProvider, prefetchQuery, operations } from '../../src/index.ts'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { filterBox, names } from './CategoryList.setup.tsx'
import { cleanPage } from './page.setup.ts'

cleanPage()

let scopes = 0

/** Puts the server HTML of a list into the page, with its rows if they are loaded before. Returns how to hydrate it. */
async function serverPage(
  categories: NonNullable<PetstoreServiceOptions['categories']>,
  isLoaded: boolean,
  props: CategoryListProps = {},
) {
  scopes += 1
  const options = { ...optionsFor(createPetstoreService({ categories })), scope: `page-${scopes}` }
  const fallback = isLoaded ? await prefetchQuery(createPetstoreClient(options), operations.listCategories) : {}
  const app = (
    <SWRConfig value={{ fallback, provider: () => new Map() }}>
      <PetstoreProvider {...options}>
        <CategoryList {...props} />
      </PetstoreProvider>
    </SWRConfig>
  )
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(app)
  vi.mocked(console.error).mockClear() // React 18 warns of SWR's effects, since jsdom has a document and a server has none
  const mismatched = vi.fn<(error: unknown) => void>()
  const hydrate = async () => {
    const root = await act(async () => hydrateRoot(container, app, { onRecoverableError: mismatched }))
    onTestFinished(() => act(() => root.unmount()))
  }
  return { container, hydrate, mismatched }
}

test.each([
  ['without data, loading', {}, undefined, 'Loading categories…'],
  ['with data, 200 rows at most', { selectionMode: 'multiple', order: 'name' }, 250, 'Showing 200 of 250'],
  ['empty', {}, 0, 'No categories yet'],
] satisfies [string, CategoryListProps, number | undefined, string][])(
  'M6 hydrates %s',
  async (_, props, count, says) => {
    const { container, hydrate, mismatched } = await serverPage(count ?? 5, count !== undefined, props)
    const section = container.querySelector('section')
    expect(section?.textContent).toContain(says)
    expect(container.querySelectorAll('li').length).toBeLessThanOrEqual(200)
    await hydrate()
    expect(await screen.findByText(count === 0 ? 'No categories yet' : /^\d+ categories$/)).toBeDefined()
    expect(mismatched).not.toHaveBeenCalled()
    expect(container.querySelector('section')).toBe(section)
  },
)

test.each([
  ['with data', true],
  ['without data', false],
])('F1 filters by the text typed before hydration, %s', async (_, isLoaded) => {
  const { hydrate } = await serverPage([{ name: 'Dog' }, { name: 'Cat' }], isLoaded)
  filterBox().value = 'cat'
  await hydrate()
  expect(await screen.findByText('1 of 2 categories')).toBeDefined()
  expect([filterBox().value, names()]).toEqual(['cat', ['Cat']])
})
