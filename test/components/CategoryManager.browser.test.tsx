import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '../../src/styles.css'
import {
  CategoryForm,
  CategoryList,
  type CategoryListProps,
  CategoryManager,
  PetstoreProvider,
} from '../../src/index.ts'
import { ar } from '../../src/labels/ar.ts'
import { de } from '../../src/labels/de.ts'
import { en } from '../../src/labels/en.ts'
import { ja } from '../../src/labels/ja.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { holdResponses } from '../hooks/holdResponses.ts'
import { optionsFor, renderOnService } from '../renderOnService.tsx'
import { refusedAs } from './CategoryForm.setup.tsx'

beforeEach(() => page.viewport(1_000, 700))
afterEach(cleanup)

const list = () => screen.getByRole('region', { name: 'Categories' })
const rowOf = (name: string) => within(list()).getByText(name).closest<HTMLElement>('.petstore-category-list-row')
const nameField = () => screen.getByLabelText<HTMLInputElement>('Name')
const filter = () => screen.getByRole<HTMLInputElement>('searchbox')
const showButton = () => screen.queryByRole('button', { name: 'Show' })

function isInView(element: Element | null): boolean {
  const box = element?.getBoundingClientRect()
  return box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight
}

async function create(name: string): Promise<void> {
  await userEvent.type(nameField(), `${name}{Enter}`)
  await within(screen.getByRole('form')).findByText(`Created “${name}”.`)
}

async function renderManager(props: CategoryListProps = {}, categories = 5) {
  const view = renderOnService(<CategoryManager list={props} />, { service: createPetstoreService({ categories }) })
  await within(list()).findByText('Dog 1')
  return view
}

test('S7 the new row is highlighted and in view; the focus stays in the form', async () => {
  await renderManager()
  await create('Hamster')
  await waitFor(() => expect(rowOf('Hamster')?.dataset['new']).toBe('true'))
  const row = rowOf('Hamster')
  expect(row?.getAnimations().length).toBe(1)
  expect(isInView(row)).toBe(true)
  expect(document.activeElement).toBe(nameField())
  expect(isInView(nameField())).toBe(true)
  expect(showButton()).toBeNull()
  for (const animation of row?.getAnimations() ?? []) animation.finish()
  await waitFor(() => expect(rowOf('Hamster')?.dataset['new']).toBeUndefined())
})

test('S7 P6 “Show” clears a filter that hides the new row, and moves the focus to it', async () => {
  await renderManager()
  await userEvent.type(filter(), 'Dog')
  await waitFor(() => expect(within(list()).queryByText('Cat 2')).toBeNull())
  await create('Hamster')
  expect(within(list()).queryByText('Hamster')).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: 'Show' }))
  expect(filter().value).toBe('')
  await waitFor(() => expect(document.activeElement).toBe(rowOf('Hamster')))
  expect(isInView(rowOf('Hamster'))).toBe(true)
  expect(rowOf('Hamster')?.dataset['new']).toBe('true')
})

test('S7 P6 “Show” shows as many rows as the new one needs', async () => {
  await renderManager({}, 450)
  await create('Hamster')
  await userEvent.click(await screen.findByRole('button', { name: 'Show' }))
  await waitFor(() => expect(document.activeElement).toBe(rowOf('Hamster')))
  expect(within(list()).getAllByRole('listitem')).toHaveLength(451)
})

test('S7 P6 where the row and the focused field do not fit on the screen, nothing scrolls until “Show”', async () => {
  await page.viewport(1_000, 300)
  await renderManager({}, 12)
  await create('Hamster')
  expect(isInView(nameField())).toBe(true)
  await userEvent.click(await screen.findByRole('button', { name: 'Show' }))
  await waitFor(() => expect(isInView(rowOf('Hamster'))).toBe(true))
  expect(document.activeElement).toBe(rowOf('Hamster'))
})

test.each([1_400, 960, 720])(
  'M8 at %d px, form, badge and list end at the right edge of their column',
  async (width) => {
    await page.viewport(width, 900)
    await renderManager()
    const box = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect()
    const form = box(screen.getByRole('form'))
    const badge = box(screen.getByRole('group', { name: 'API requests' }))
    expect([badge.left, badge.right]).toEqual([form.left, form.right])
    expect(badge.top - form.bottom).toBe(28)
    expect(box(list()).right).toBe(box(list().parentElement).right)
  },
)

test('M8 the line that says what was created moves nothing below the form', async () => {
  await renderManager()
  const badge = screen.getByRole('group', { name: 'API requests' })
  const { top } = badge.getBoundingClientRect()
  await create('Hamster')
  expect(badge.getBoundingClientRect().top).toBe(top)
})

test.each(Object.entries({ en, de, ja, ar }))(
  'M8 the line that says what was created moves nothing below a form of 320 px: %s',
  async (_, labels) => {
    const { name, show } = labels.categoryForm
    render(
      <PetstoreProvider {...optionsFor(createPetstoreService({ categories: 5 }))} labels={labels}>
        <div style={{ inlineSize: '320px' }}>
          <CategoryForm />
          <CategoryList />
        </div>
      </PetstoreProvider>,
    )
    await screen.findByText('Dog 1')
    await userEvent.type(filter(), 'Dog 1')
    const { top } = filter().getBoundingClientRect()
    await userEvent.type(screen.getByLabelText(name), 'Hamster{Enter}')
    await screen.findByRole('button', { name: show })
    expect(filter().getBoundingClientRect().top).toBe(top)
  },
)

/** In 390 px the form is behind a button. */
async function renderNarrow(categories = 5) {
  await page.viewport(390, 700)
  return renderManager({}, categories)
}

const toggle = () => screen.getByRole('button', { name: /^(New category|Close)$/ })

test('M9 a narrow manager shows the button, a line of the badge and the list in the first screen', async () => {
  await renderNarrow()
  expect(screen.queryByRole('form')).toBeNull()
  expect(toggle().getAttribute('aria-expanded')).toBe('false')
  const badge = screen.getByRole('group', { name: 'API requests' })
  expect(badge.getBoundingClientRect().height).toBeLessThan(3 * 16)
  expect(isInView(toggle()) && isInView(badge) && isInView(rowOf('Dog 1'))).toBe(true)
})

test('M9 from 44em on the form is shown, and no button for it', async () => {
  // High enough for the whole page: a scrollbar would take some of the width.
  await page.viewport(720, 2_000)
  await renderManager()
  screen.getByRole('form')
  expect(screen.queryByRole('button', { name: 'New category' })).toBeNull()
  await page.viewport(700, 2_000)
  expect(toggle().getAttribute('aria-expanded')).toBe('false')
})

test('M9 opening moves the focus into the form, closing keeps it on the button, and the text stays', async () => {
  await renderNarrow()
  await userEvent.click(toggle())
  expect(document.activeElement).toBe(nameField())
  expect(toggle().getAttribute('aria-expanded')).toBe('true')
  expect(toggle().textContent).toBe('Close')
  await userEvent.type(nameField(), 'Hams')
  await userEvent.click(toggle())
  expect(document.activeElement).toBe(toggle())
  expect(screen.queryByRole('form')).toBeNull()
  await userEvent.click(toggle())
  expect(nameField().value).toBe('Hams')
})

test('M9 a creation closes the form, says so below the button, and returns the focus', async () => {
  await renderNarrow(450)
  await userEvent.click(toggle())
  await create('Hamster')
  await waitFor(() => expect(document.activeElement).toBe(toggle()))
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Create category' })).toBeNull()
  expect(isInView(screen.getByText('Created “Hamster”.', { selector: 'form *' }))).toBe(true)
  await userEvent.click(await screen.findByRole('button', { name: 'Show' }))
  await waitFor(() => expect(document.activeElement).toBe(rowOf('Hamster')))
})

test('M9 a closed form shows what the service says of a field', async () => {
  await page.viewport(390, 700)
  const service = createPetstoreService()
  const { fetch, hold } = holdResponses(service)
  renderOnService(<CategoryManager />, { service: { ...service, fetch: (input) => fetch(new Request(input)) } })
  await within(list()).findByText('Rabbit')
  await userEvent.click(toggle())
  service.failNext(refusedAs('invalid_name', 'That is taken.'))
  const response = hold('POST')
  await userEvent.type(nameField(), 'Hamster{Enter}')
  await response.arrived
  await userEvent.click(toggle())
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull()
  response.letGo()
  expect(isInView(await screen.findByText('That is taken.'))).toBe(true)
  expect(isInView(nameField())).toBe(true)
  expect(screen.queryByRole('textbox', { name: /^Description/ })).toBeNull()
  expect(document.activeElement).toBe(toggle())
})

test('M5 M9 the button in an empty narrow list opens the form; beside the form there is none', async () => {
  await page.viewport(390, 700)
  renderOnService(<CategoryManager />, { service: createPetstoreService({ categories: [] }) })
  await userEvent.click(await within(list()).findByRole('button', { name: 'Create category' }))
  expect(document.activeElement).toBe(nameField())
  await page.viewport(1_000, 700)
  expect(screen.getAllByRole('button', { name: 'Create category' })).toHaveLength(1)
})
