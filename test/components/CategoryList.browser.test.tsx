import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CategoryList, type CategoryListProps } from '../../src/index.ts'
import { PetstoreProvider } from '../../src/index.ts'
import '../../src/styles.css'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor, OwnCache } from '../renderOnService.tsx'

const violations: SecurityPolicyViolationEvent[] = []

beforeAll(() => {
  document.addEventListener('securitypolicyviolation', (event) => void violations.push(event))
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = "style-src-attr 'none'"
  document.head.append(policy)
})

beforeEach(() => page.viewport(600, 800))

afterEach(() => {
  cleanup()
  document.documentElement.removeAttribute('dir')
  document.body.removeAttribute('style')
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

const viewport = () => screen.getByRole('group', { name: 'Categories' })
const items = () => screen.getAllByRole('listitem')
const last = () => viewport().querySelector('li:last-of-type')
const inWindow = () => waitFor(() => expect(items()[0]?.getAttribute('aria-setsize')).toBe('2000'))
/** The row at the upper edge of the box. */
const firstInSight = () => {
  const { left, top } = viewport().getBoundingClientRect()
  return document
    .elementFromPoint(left + 40, top + 20)
    ?.closest('li')
    ?.getAttribute('aria-posinset')
}
/** Whether the element is visible: the virtualizer hides rows that it has not measured yet. */
const isSeen = (row: HTMLElement) => row.checkVisibility({ visibilityProperty: true })

async function scrollTo(top: number): Promise<void> {
  viewport().scrollTop = top
  await waitFor(() => expect(Number(firstInSight())).toBeGreaterThan(top / 100))
}

test('the policy of these tests is in force', async () => {
  const element = document.createElement('p')
  element.innerHTML = '<b style="color: red">Red</b>'
  await waitFor(() => expect(violations).toHaveLength(1))
  violations.length = 0
})

test('O3 the first rows are there at once; then only those in sight, out of all', async () => {
  await renderList({ windowed: true })
  expect(screen.getByText('Rabbit 3')).toBeVisible()
  await inWindow()
  expect(items().length).toBeLessThan(40)
  expect(items().filter(isSeen).length).toBeGreaterThan(5)
  expect(
    items()
      .slice(0, 3)
      .map((item) => item.getAttribute('aria-posinset')),
  ).toEqual(['1', '2', '3'])
  expect(viewport().scrollHeight).toBeGreaterThan(2_000 * 30)
  const description = screen.getByRole('list').getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(description)?.textContent).toBe('2,000 categories')
  expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull()

  await scrollTo(40_000)
  expect(items().length).toBeLessThan(40)
  await waitFor(() => expect(screen.queryByText('Dog 1')).toBeNull())
})

test('O3 the keyboard scrolls the box', async () => {
  await renderList({ windowed: true, refreshable: false })
  await inWindow()
  expect(viewport().tabIndex).toBe(0) // Chromium would not need it
  await userEvent.click(screen.getByRole('searchbox'))
  await userEvent.keyboard('{Tab}')
  expect(document.activeElement).toBe(viewport())
  await userEvent.keyboard('{End}')
  // The first element with this text may be one that the virtualizer still measures, or replaces.
  await waitFor(() => expect(screen.getByText('Pony 2000')).toBeVisible())
  expect(last()?.getAttribute('aria-posinset')).toBe('2000')
  await userEvent.keyboard('{Home}')
  await waitFor(() => expect(firstInSight()).toBe('1'))
  expect(document.activeElement).toBe(viewport())
})

test('O3 is as high as the token says, but not higher than its rows', async () => {
  await renderList({ windowed: true })
  expect(viewport().offsetHeight).toBe(30 * 16)
  cleanup()
  document.body.style.setProperty('--petstore-list-height', '200px')
  await renderList({ windowed: true })
  expect(viewport().offsetHeight).toBe(200)
  cleanup()
  await renderList({ windowed: true }, 2)
  expect(viewport().offsetHeight).toBeLessThan(200)
  expect(viewport().scrollHeight).toBe(viewport().clientHeight)
})

test('O4 a row with the focus stays in the page, however far it is scrolled away', async () => {
  await renderList({ windowed: true, selectionMode: 'multiple' })
  await inWindow()
  const box = screen.getByRole('checkbox', { name: 'Rabbit 3' })
  box.focus({ preventScroll: true })
  await scrollTo(40_000)
  await waitFor(() => expect(screen.queryByText('Dog 1')).toBeNull())
  expect(document.activeElement).toBe(box)
  await userEvent.keyboard(' ')
  expect(screen.getByText('1 selected')).toBeVisible()
})

test('O4 the focus in a row that stood in for the window stays in the list', async () => {
  let focusedAtOnce: Element | null = null
  const observer = new MutationObserver(() => {
    const box = document.querySelector<HTMLElement>('input[type="checkbox"]')
    if (focusedAtOnce || !box || box.closest('[aria-setsize]')) return
    focusedAtOnce = box
    box.focus({ preventScroll: true })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  await renderList({ windowed: true, selectionMode: 'multiple' })
  await inWindow()
  observer.disconnect()
  expect(focusedAtOnce).not.toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(viewport()))
})

test('O7 the checkboxes are one tab stop, and the arrow keys move through all of them', async () => {
  await renderList({ windowed: true, selectionMode: 'multiple' })
  await inWindow()
  const position = () => document.activeElement?.closest('li')?.getAttribute('aria-posinset')
  const press = async (keys: string, expected: string) => {
    await userEvent.keyboard(keys)
    await waitFor(() => expect(position()).toBe(expected))
  }
  viewport().focus()
  await press('{Tab}', '1')
  await press('{ArrowDown}', '2')
  await press('{ArrowDown}{ArrowDown}', '4')
  await press('{ArrowUp}', '3')
  await press('{End}', '2000')
  expect(document.activeElement?.closest('li')).toSatisfy(isSeen)
  await userEvent.keyboard('{PageUp}')
  await waitFor(() => expect(Number(position())).toBeLessThan(1_998))
  const above = Number(position())
  await press(' {Shift>}{ArrowDown}{ArrowDown} {/Shift}', `${above + 2}`)
  expect(screen.getByText('3 selected')).toBeDefined()

  // One press of Tab leaves the rows, and the way back leads to the row that had the focus.
  await userEvent.keyboard('{Tab}')
  expect(document.activeElement?.textContent).toBe('After')
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  expect(position()).toBe(`${above + 2}`)
})

test('O7 who leaves a row in the frame in which it got the focus is not called back', async () => {
  await renderList({ windowed: true, selectionMode: 'multiple' })
  await inWindow()
  const after = screen.getByText('After')
  const leaveSecondRow = ({ target }: FocusEvent) => {
    if (!(target instanceof Element && target.closest('[aria-posinset="2"]'))) return
    viewport().removeEventListener('focusin', leaveSecondRow)
    queueMicrotask(() => after.focus())
  }
  viewport().addEventListener('focusin', leaveSecondRow)
  viewport().focus()
  await userEvent.keyboard('{Tab}{ArrowDown}')
  await waitFor(() => expect(document.activeElement).toBe(after))
  for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame)
  expect(document.activeElement).toBe(after)
})

test('O5 another filter scrolls back to the first row; a refresh does not', async () => {
  const { service } = await renderList({ windowed: true })
  await inWindow()
  await scrollTo(40_000)
  const row = firstInSight()
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await waitFor(() => expect(service.requests).toHaveLength(2))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Refresh' })).toHaveAttribute('aria-disabled', 'false'))
  expect(firstInSight()).toBe(row)
  await userEvent.type(screen.getByRole('searchbox'), 'dog')
  await waitFor(() => expect(firstInSight()).toBe('1'))
  expect(viewport().scrollTop).toBe(0)
  expect(screen.getByText('200 of 2,000 categories')).toBeVisible()
  await userEvent.clear(screen.getByRole('searchbox'))
  await inWindow()
})

test('O6 nothing breaks a policy that forbids style attributes', async () => {
  await renderList({ windowed: true })
  await inWindow()
  await scrollTo(40_000)
  expect(violations).toEqual([])
})

test('O6 without a ResizeObserver there are 200 rows and the button', async () => {
  vi.stubGlobal('ResizeObserver', undefined)
  await renderList({ windowed: true })
  expect(await screen.findByRole('button', { name: 'Show 200 more' })).toBeVisible()
  expect(items()).toHaveLength(200)
  vi.unstubAllGlobals()
})

test('L1 arrow keys move through the radio buttons of one list', async () => {
  const selected = vi.fn<(ids: readonly string[]) => void>()
  await renderList({ selectionMode: 'single', onSelectionChange: selected }, 5)
  await userEvent.click(screen.getByRole('radio', { name: 'Dog 1' }))
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(selected.mock.calls).toEqual([[['1']], [['2']], [['3']]])
})

test('R2 neither a refresh nor the end of a retry scrolls the page', async () => {
  // New rows move into their place, on a busy machine while this test measures.
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
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText('Something went wrong')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(240)
  for (const element of document.querySelectorAll('section *:not(.petstore-visually-hidden)')) {
    if (element.closest('svg, .petstore-visually-hidden')) continue
    expect(element.scrollWidth - element.clientWidth).toBeLessThanOrEqual(element.clientWidth === 0 ? Infinity : 0)
  }
})

test.each(['before', 'after'])('O4 also after a response with other rows, scrolled away %s it', async (when) => {
  const { service } = await renderList({ windowed: true, selectionMode: 'multiple' })
  await inWindow()
  const box = screen.getByRole('checkbox', { name: 'Rabbit 3' })
  box.focus({ preventScroll: true })
  if (when === 'before') await scrollTo(40_000)
  await service.fetch(`${service.baseUrl}/categories`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Newt' }),
  })
  screen.getByRole('button', { name: 'Refresh' }).click()
  await screen.findByText('2,001 categories')
  if (when === 'after') await scrollTo(40_000)
  await waitFor(() => expect(screen.queryByText('Dog 1')).toBeNull())
  expect(document.activeElement).toBe(box)
})

test('R3 a focused row keeps the focus when the person returns to the window', async () => {
  await renderList({}, 450)
  screen.getByRole('button', { name: 'Show 200 more' }).click()
  await waitFor(() => expect(document.activeElement).toBe(items()[200]))
  // Simulates a window that loses the focus: its active element stays the same.
  document.activeElement?.dispatchEvent(new FocusEvent('blur'))
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  expect(document.activeElement).toBe(items()[200])
})
