import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CategoryForm, type CategoryId, CategoryList } from '../../src/index.ts'
import { recordAnnouncements } from './announcements.ts'
import { filterBox, names, refreshButton, renderList } from './CategoryList.setup.tsx'
import { advanceTime, cleanPage, fakeTime, user } from './page.setup.ts'

cleanPage()

type Row = readonly [id: number, name: string]

/** A `fetch` whose rows `setRows` replaces. */
function changingRows(...first: readonly Row[]) {
  let rows = first
  return {
    setRows: (...next: readonly Row[]) => {
      rows = next
    },
    fetch: async () => Response.json(rows.map(([id, name]) => ({ id, name }))),
  }
}

test('L2 rows that a refresh has removed are no longer selected, nor part of the next selection', async () => {
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

test('S7, and P6 of CategoryForm: the form’s “Show” goes when a refresh removes the category; the filter stays', async () => {
  const { service } = renderList({}, { beside: <CategoryForm /> })
  await screen.findByText('Rabbit')
  fireEvent.change(filterBox(), { target: { value: 'Rabbit' } })
  await user.type(screen.getByLabelText('Name'), 'Hamster{Enter}')
  expect(await screen.findByRole('button', { name: 'Show' })).toBeDefined()
  service.reset()
  await user.click(refreshButton())
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show' })).toBeNull())
  expect(filterBox().value).toBe('Rabbit')
  expect(names()).toEqual(['Rabbit'])
})

test('L4 an id that the service sends twice is selected once', async () => {
  const changed = vi.fn<(selection: readonly CategoryId[]) => void>()
  const { fetch } = changingRows([7, 'Dog'], [7, 'Dog'], [8, 'Cat'])
  renderList({ selectionMode: 'multiple', onSelectionChange: changed }, { client: { fetch } })
  await screen.findByText('Cat')
  await user.click(screen.getByRole('button', { name: 'Select all' }))
  expect(screen.getByText('2 selected')).toBeDefined()
  expect(changed).toHaveBeenLastCalledWith(['7', '8'])
})

test('S3 two lists with the same failure announce it once', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  const fetch = async () => new Response(null, { status: 500 })
  renderList({}, { client: { fetch }, beside: <CategoryList aria-label="Others" /> })
  await waitFor(() => expect(announcements).not.toEqual([]))
  await advanceTime(3_000)
  expect(announcements).toEqual(['The service has a problem. Try again in a moment.'])
})
