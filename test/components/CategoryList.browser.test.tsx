import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CategoryList, type CategoryListProps, PetstoreProvider } from '../../src/index.ts'
import '../../src/styles.css'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor, OwnCache } from '../renderOnService.tsx'
import { cutElements } from './cutElements.ts'

beforeEach(() => page.viewport(600, 800))

afterEach(() => {
  cleanup()
  document.documentElement.removeAttribute('dir')
})

async function renderList(props: CategoryListProps, categories = 2_000) {
  const service = createPetstoreService({ categories })
  const app = (next: CategoryListProps) => (
    <OwnCache>
      <PetstoreProvider {...optionsFor(service)}>
        <button type="button">Before</button>
        <CategoryList {...next} />
        <button type="button">After</button>
      </PetstoreProvider>
    </OwnCache>
  )
  const view = render(app(props))
  await screen.findByText('Dog 1')
  return { ...view, service, update: (next: CategoryListProps) => view.rerender(app(next)) }
}

const items = () => screen.getAllByRole('listitem')

test('L1 arrow keys move through the radio buttons of one list', async () => {
  const selected = vi.fn<(ids: readonly string[]) => void>()
  await renderList({ selectionMode: 'single', onSelectionChange: selected }, 5)
  await userEvent.click(screen.getByRole('radio', { name: 'Dog 1' }))
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(selected.mock.calls).toEqual([[['1']], [['2']], [['3']]])
})

test('L1 M5 a press at the end of a row with actions selects it, and one on an action does not', async () => {
  const shown = vi.fn<() => void>()
  const actions = () => (
    <button type="button" onClick={shown}>
      Show
    </button>
  )
  await renderList({ selectionMode: 'single', actions }, 2)
  const [first, last] = items().map((row) => ({ row, width: row.clientWidth, height: row.clientHeight }))
  if (!first || !last) throw new Error('The list has no two rows.')
  await userEvent.click(first.row, { position: { x: first.width - 4, y: first.height / 2 } })
  expect(screen.getByRole('radio', { name: 'Dog 1' })).toBeChecked()
  await userEvent.click(within(last.row).getByText('Show'))
  expect(shown).toHaveBeenCalledOnce()
  expect(screen.getByRole('radio', { name: 'Dog 1' })).toBeChecked()
})

test('O2 holds 100,000 categories: 200 rows, 200 more, a filter and a selection of all', async () => {
  await renderList({ selectionMode: 'multiple' }, 100_000)
  expect(screen.getByText('100,000 categories')).toBeVisible()
  expect(items()).toHaveLength(200)
  // By text: queries by role compute the name of every row.
  await userEvent.click(screen.getByText('Show 200 more'))
  expect(items()).toHaveLength(400)
  await userEvent.click(screen.getByText('Select all'))
  expect(screen.getByText('100,000 selected', { selector: '.petstore-category-list-selected *' })).toBeVisible()
  await userEvent.type(screen.getByRole('searchbox'), 'pony 100000')
  expect(await screen.findByText('1 of 100,000 categories')).toBeVisible()
  expect(screen.getByRole('checkbox', { name: 'Pony 100000' })).toBeChecked()
})

test('R2 a refresh neither scrolls the page nor moves the focus', async () => {
  // New rows move into their place. On a busy machine they would still move while this test measures.
  const withoutMotion = new CSSStyleSheet()
  withoutMotion.replaceSync('* { animation: none !important }')
  document.adoptedStyleSheets.push(withoutMotion)
  onTestFinished(() => void document.adoptedStyleSheets.pop())
  const { service } = await renderList({ actions: ({ name }) => <button type="button">{`Edit ${name}`}</button> }, 200)
  document.documentElement.scrollTop = 3_000
  const { scrollTop } = document.documentElement
  expect(scrollTop).toBeGreaterThan(1_000)
  const button = screen.getByRole('button', { name: 'Edit Dog 61' })
  button.focus({ preventScroll: true })
  const place = button.getBoundingClientRect().top
  screen.getByRole('button', { name: 'Refresh' }).click()
  await waitFor(() => expect(service.requests).toHaveLength(2))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Refresh' })).toHaveAttribute('aria-disabled', 'false'))
  expect(document.activeElement).toBe(button)
  expect(button.getBoundingClientRect().top).toBe(place)
})

test('R3 the focus is visible on the section and on a new row', async () => {
  await renderList({}, 450)
  const more = screen.getByRole('button', { name: 'Show 200 more' })
  more.focus()
  // By keyboard: after a click, WebKit draws no outline where a script moves the focus.
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Tab}')
  expect(document.activeElement).toBe(more)
  await userEvent.keyboard('{Enter}')
  const row = document.activeElement
  expect(row).toBe(items()[200])
  expect(getComputedStyle(row as Element).outlineStyle).toBe('solid')
})

test.each(['ltr', 'rtl'])('V1 nothing runs out of 240 px, %s', async (direction) => {
  await page.viewport(240, 600)
  document.documentElement.dir = direction
  const { service } = await renderList(
    {
      selectionMode: 'multiple',
      actions: ({ name }) => (
        <button type="button" className="petstore-button">{`Edit ${name} at once, please`}</button>
      ),
    },
    210,
  )
  await userEvent.type(screen.getByRole('searchbox'), 'o')
  service.failNext({ status: 500 })
  // Not by a pointer: WebKit's driver scrolls to the sticky toolbar between press and release.
  screen.getByRole('button', { name: 'Refresh' }).click()
  await screen.findByText('The service has a problem')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(240)
  expect(cutElements(screen.getByRole('region'))).toEqual([])
})
