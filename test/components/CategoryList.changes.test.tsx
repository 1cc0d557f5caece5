import { render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CategoryList, type CategoryListProps } from '../../src/index.ts'
import { type CategoryId, createPetstoreClient, type PetstoreClient, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { noResponse, optionsFor, OwnCache } from '../renderOnService.tsx'
import { recordAnnouncements } from './announcements.ts'
import { filterBox, names, refreshButton, renderList } from './CategoryList.setup.tsx'
import { cleanPage, user } from './page.setup.ts'

cleanPage()

type Row = readonly [id: number, name: string]

/** A `fetch` that responds with the rows that it was given last. */
function changingRows(...first: readonly Row[]) {
  let rows = first
  return {
    setRows: (...next: readonly Row[]) => {
      rows = next
    },
    fetch: async () => Response.json(rows.map(([id, name]) => ({ id, name }))),
  }
}

test('rows with equal ids follow the filter', async () => {
  // React warns about equal keys.
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { fetch } = changingRows([1, 'Dog'], [1, 'Dogfish'], [2, 'Cat'], [1, 'Dogo'])
  renderList({}, { client: { fetch } })
  await screen.findByText('Dogfish')
  const shownFor = async (query: string) => {
    await user.clear(filterBox())
    if (query) await user.type(filterBox(), query)
    return names()
  }
  expect(await shownFor('dogf')).toEqual(['Dogfish'])
  expect(await shownFor('cat')).toEqual(['Cat'])
  expect(await shownFor('dog')).toEqual(['Dog', 'Dogfish', 'Dogo'])
  expect(await shownFor('')).toEqual(['Dog', 'Dogfish', 'Cat', 'Dogo'])
  expect(logged.mock.calls.map(String).filter((text) => text.includes('same key'))).toEqual([])
  logged.mockRestore()
})

test('rows that are gone are no longer selected', async () => {
  const changed = vi.fn<(selection: readonly CategoryId[]) => void>()
  const { setRows, fetch } = changingRows([7, 'Dog'], [8, 'Cat'], [9, 'Bird'])
  renderList({ selectionMode: 'multiple', onSelectionChange: changed }, { client: { fetch } })
  await user.click(await screen.findByText('Dog'))
  await user.click(screen.getByText('Cat'))
  expect(screen.getByText('2 selected')).toBeDefined()
  setRows([8, 'Cat'], [9, 'Bird'])
  await user.click(refreshButton())
  await waitFor(() => expect(names()).toEqual(['Cat', 'Bird']))
  expect(screen.getByText('1 selected')).toBeDefined()
  await user.click(screen.getByText('Bird'))
  expect(changed).toHaveBeenLastCalledWith(['8', '9'])
})

test('another client during a refresh that hangs can be refreshed', async () => {
  const dogs = createPetstoreService({ categories: [{ name: 'Dog' }] })
  const cats = createPetstoreService({ categories: [{ name: 'Cat' }] })
  let hangs = false
  const old = createPetstoreClient(
    optionsFor({ fetch: (request) => (hangs ? noResponse(request) : dogs.fetch(request)) }),
  )
  const next = createPetstoreClient(optionsFor(cats))
  const app = (client: PetstoreClient) => (
    <OwnCache>
      <PetstoreProvider client={client}>
        <CategoryList />
      </PetstoreProvider>
    </OwnCache>
  )
  const { rerender } = render(app(old))
  await screen.findByText('Dog')
  hangs = true
  await user.click(refreshButton())
  await screen.findByRole('button', { name: 'Refreshing…' })
  rerender(app(next))
  await screen.findByText('Cat')
  await user.click(refreshButton())
  await waitFor(() => expect(cats.requests).toHaveLength(2))
  old.close()
  await waitFor(() => expect(refreshButton().getAttribute('aria-disabled')).toBe('false'))
})

test('two lists announce one failure once', async () => {
  const announcements = recordAnnouncements()
  const others: CategoryListProps = { 'aria-label': 'Others' }
  const fetch = async () => new Response(null, { status: 500 })
  renderList({}, { client: { fetch }, beside: <CategoryList {...others} /> })
  await waitFor(() => expect(announcements).toHaveLength(1))
  const [text = ''] = announcements
  const sentence = text.slice(0, text.indexOf('.') + 1)
  expect(sentence).not.toBe('')
  expect(text.split(sentence)).toHaveLength(2)
})
