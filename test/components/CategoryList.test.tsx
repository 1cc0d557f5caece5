import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { createRef, Profiler } from 'react'
import { expect, test, vi } from 'vitest'
import { CategoryList, NetworkError, useCategories, useClear, useCreateCategory } from '../../src/index.ts'
import { announce } from '../../src/components/announce.ts'
import { slowAfter } from '../../src/components/useIsSlow.ts'
import { createPetstoreService, type Fault } from '../../src/testing.ts'
import { filterBox, names, refreshButton, renderList, rowOf, section, tryAgain } from './CategoryList.setup.tsx'
import { renderOnService } from '../renderOnService.tsx'
import { recordAnnouncements } from './announcements.ts'
import { advanceTime, cleanPage, describedBy, fakeTime, user } from './page.setup.ts'
import { renderWaiting } from './waits.setup.tsx'

cleanPage()

const twoPets = {
  categories: [{ name: 'Dog', description: 'Loyal' }, { name: 'Guinea pig' }],
}

test('M1 a named section holds one list, which says how many there are', async () => {
  const { update } = renderList({}, { service: twoPets })
  const list = await within(section()).findByRole('list')
  expect(within(list).getAllByRole('listitem')).toHaveLength(2)
  expect(describedBy(list)).toEqual(['2 categories'])
  update({ 'aria-label': 'Pets' })
  expect(screen.getByRole('region', { name: 'Pets' })).toBeDefined()
  update({ 'aria-labelledby': 'elsewhere' })
  expect(document.querySelector('section')?.getAttribute('aria-label')).toBeNull()
})

test('M2 native props and the ref go to the section, class names to their parts', async () => {
  const ref = createRef<HTMLElement>()
  const classNames = {
    toolbar: 'a-toolbar',
    filter: 'a-filter',
    refresh: 'a-refresh',
    summary: 'a-summary',
    rows: 'a-rows',
    row: 'a-row',
    name: 'a-name',
    description: 'a-description',
    actions: 'a-actions',
    more: 'a-more',
    empty: 'an-empty',
    skeleton: 'a-skeleton',
  }
  const count = (name: string) => document.querySelectorAll(`.${name}`).length
  const props = { ref, id: 'pets', className: 'mine', classNames, actions: () => <button type="button">Edit</button> }
  renderList(props, { service: { categories: 201 } })
  expect(ref.current).toBe(section())
  expect(section().id).toBe('pets')
  expect([...section().classList]).toEqual(['petstore-root', 'petstore-category-list', 'mine'])
  expect(count('a-skeleton')).toBe(1)
  await screen.findByText('Dog 1')
  const { toolbar, filter, refresh, summary, rows, more, row, name, actions } = classNames
  expect([toolbar, filter, refresh, summary, rows, more].map(count)).toEqual([1, 1, 1, 1, 1, 1])
  expect([row, name, actions].map(count)).toEqual([200, 200, 200])
  expect(count(classNames.description)).toBe(134) // two in three categories have a description
  await user.type(filterBox(), 'no such')
  await waitFor(() => expect(count(classNames.empty)).toBe(1))
})

test('M4 shows each text in its own direction, and no element for a missing description', async () => {
  renderList({}, { service: { ...twoPets, categories: [...twoPets.categories, { name: 'Cat', description: '' }] } })
  expect((await screen.findByText('Loyal')).dir).toBe('auto')
  expect(screen.getByText('Dog').dir).toBe('auto')
  expect(rowOf('Guinea pig').querySelectorAll('[dir]')).toHaveLength(1)
  expect(rowOf('Cat').querySelectorAll('[dir]')).toHaveLength(1)
})

test('M5 shows `renderItem` instead of the text, and `actions` at the end of the row', async () => {
  const pressed = vi.fn<(name: string) => void>()
  renderList(
    {
      renderItem: ({ id, name }) => <em>{`${name}, number ${id}`}</em>,
      actions: ({ name }) => <button type="button" onClick={() => pressed(name)}>{`Edit ${name}`}</button>,
    },
    { service: twoPets },
  )
  expect((await screen.findByText('Dog, number 1')).tagName).toBe('EM')
  expect(screen.queryByText('Loyal')).toBeNull()
  const row = screen.getByText('Guinea pig, number 2').closest('li')
  expect(row?.lastElementChild?.textContent).toBe('Edit Guinea pig')
  await user.click(screen.getByRole('button', { name: 'Edit Guinea pig' }))
  expect(pressed.mock.calls).toEqual([['Guinea pig']])
})

test.each([
  ['five', 5, '5 categories'],
  ['none', 0, 'No categories yet'],
])('S1 a load of three seconds announces its end: %s', async (_, count, text) => {
  fakeTime()
  const announcements = recordAnnouncements()
  const { hold } = renderList({}, { service: { categories: count } })
  const { letGo, arrived } = hold('GET')
  await arrived
  await advanceTime(3_500)
  expect(announcements).toEqual([])
  letGo()
  await waitFor(() => expect(announcements).toEqual([text]))
})

test('S1 a shorter load is silent', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  const { hold } = renderList()
  const { letGo, arrived } = hold('GET')
  await arrived
  await advanceTime(1_000)
  letGo()
  await screen.findByText('Rabbit')
  await advanceTime(1_000)
  expect(announcements).toEqual([])
})

test('S2 counts down while the first load waits for the rate limit, and announces that once', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext({ status: 429, headers: { 'Retry-After': '3' } })
  const announcements = recordAnnouncements()
  const { update } = renderList({}, { service, client: { retry: { attempts: 2, maxWait: 10_000 } } })
  expect(await screen.findByText(/Waiting for the request limit. Will load in [34] seconds\./)).toBeDefined()
  expect(section().getAttribute('aria-busy')).toBe('true')
  update({ id: 'rendered-again' })
  await advanceTime(1_000)
  expect(await screen.findByText(/Will load in [23] seconds\./)).toBeDefined()
  expect(announcements.filter((text) => text.startsWith('Waiting for the request limit'))).toHaveLength(1)
  await advanceTime(4_000)
  expect(await screen.findByText('Rabbit')).toBeDefined()
  expect(within(section()).queryByText(/Waiting for the request limit/)).toBeNull()
})

function InBackground() {
  const { mutate } = useCategories()
  return (
    <button type="button" onClick={() => void mutate()}>
      In the background
    </button>
  )
}

test('S2 a refresh that is held back says so; what runs in the background does not', async () => {
  fakeTime()
  const { service } = renderList({}, { client: { retry: { attempts: 2, maxWait: 10_000 } }, beside: <InBackground /> })
  await screen.findByText('Rabbit')
  service.failNext({ status: 429, headers: { 'Retry-After': '3' } })
  await user.click(screen.getByRole('button', { name: 'In the background' }))
  await waitFor(() => expect(service.requests).toHaveLength(2))
  await advanceTime(1_000)
  expect(within(section()).queryByText(/Will load in/)).toBeNull()

  await user.click(refreshButton())
  expect(await within(section()).findByText(/Will load in [23] seconds\./)).toBeDefined()
  expect(screen.getByText('Rabbit')).toBeDefined()
  await advanceTime(4_000)
  await waitFor(() => expect(within(section()).queryByText(/Will load in/)).toBeNull())
})

test('S2 announces each reason once in a load, however often it waits', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  const { wait, leave, fail } = renderWaiting(<CategoryList />)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await wait(4, 'connection')
    await leave()
    await advanceTime(200)
  }
  const connection = 'Can’t reach the service. Trying again in 4 seconds.'
  expect(announcements).toEqual([connection])
  await wait(8, 'rate-limit')
  await wait(9, 'rate-limit', true)
  await advanceTime(200)
  expect(announcements).toEqual([connection, 'Waiting for the request limit. Will load in 8 seconds.'])

  await fail(new NetworkError({ operation: 'listCategories', attempts: 0, method: 'GET' }, undefined))
  await advanceTime(200)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await wait(7, 'rate-limit')
  await advanceTime(200)
  expect(announcements.slice(2)).toEqual([
    'Can’t reach the service. Check your internet connection, then try again.',
    'Waiting for the request limit. Will load in 7 seconds.',
  ])
})

const failures: [fault: Fault, title: string][] = [
  [{ status: 503 }, 'The service has a problem'],
  [{ connection: 'lost-before' }, 'Can’t reach the service'],
  [{ body: 'wrong-shape' }, 'Unreadable response'],
]

test.each(failures)('S3 %o is shown as "%s", and the retry loads the rows', async (fault, title) => {
  const service = createPetstoreService()
  service.failNext(fault)
  renderList({}, { service })
  expect(await screen.findByText(title)).toBeDefined()
  expect(screen.queryByText('Loading categories…')).toBeNull()
  expect(screen.queryByText('No categories yet')).toBeNull()
  expect(filterBox().readOnly).toBe(false)
  expect(refreshButton().getAttribute('aria-disabled')).toBe('true')
  expect(section().getAttribute('aria-busy')).toBeNull()

  await user.click(tryAgain())
  expect(await screen.findByText('Rabbit')).toBeDefined()
  expect(screen.queryByText(title)).toBeNull()
})

test('S4 says that there are no categories, with the content of the app; not under a failure', async () => {
  const { service } = renderList(
    { emptyAction: <button type="button">Create one</button> },
    { service: { categories: [] } },
  )
  expect(await screen.findByText('No categories yet')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Create one' })).toBeDefined()
  expect(screen.queryByRole('list')).toBeNull()
  expect(filterBox().readOnly).toBe(true)
  expect(refreshButton().getAttribute('aria-disabled')).toBe('false')
  service.failNext({ status: 503 })
  await user.click(refreshButton())
  await screen.findByText('The service has a problem')
  expect(screen.queryByText('No categories yet')).toBeNull()
})

test('S5 rows stay when a later request fails, below the notice', async () => {
  const { service } = renderList()
  await screen.findByText('Rabbit')
  service.failNext({ connection: 'lost-before' })
  await user.click(refreshButton())
  const title = await screen.findByText('Can’t reach the service')
  expect(title.compareDocumentPosition(screen.getByRole('list'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(names()).toContain('Rabbit')
  expect(filterBox()).toBeDefined()
})

function CreateLizard() {
  const { trigger } = useCreateCategory({ optimistic: true })
  return (
    <button type="button" onClick={() => void trigger({ name: 'Lizard', description: 'Green' })}>
      Create lizard
    </button>
  )
}

test.each([
  ['a created one takes its place', undefined, true],
  ['a failed one is gone', { status: 400 } satisfies Fault, false],
])('S6 a pending row comes last, says so, and can do nothing; %s', async (_, fault, isCreated) => {
  const { hold, service } = renderList(
    { selectionMode: 'multiple', actions: () => <button type="button">Edit</button> },
    { service: twoPets, beside: <CreateLizard /> },
  )
  await screen.findByText('Dog')
  if (fault) service.failNext(fault)
  const response = hold('POST')
  await user.click(screen.getByRole('button', { name: 'Create lizard' }))
  await screen.findByText('Creating…')
  const row = rowOf('Lizard')
  expect(names()).toEqual(['Dog', 'Guinea pig', 'Lizard'])
  expect(row.textContent).toBe('LizardGreenCreating…')
  expect(row.getAttribute('aria-busy')).toBe('true')
  expect(row.querySelector('input, button')).toBeNull()
  await user.type(filterBox(), 'zebra')
  await screen.findByText('No categories match “zebra”.')
  expect(names()).toEqual(['Lizard'])

  await user.clear(filterBox())
  response.letGo()
  await waitFor(() => expect(screen.queryByText('Creating…')).toBeNull())
  await waitFor(() => expect(names()).toEqual(isCreated ? ['Dog', 'Guinea pig', 'Lizard'] : ['Dog', 'Guinea pig']))
})

test('S6 a category that is created at once never has a pending row', async () => {
  const { service } = renderList({}, { service: twoPets, beside: <CreateLizard /> })
  await screen.findByText('Dog')
  const texts: string[] = []
  const observer = new MutationObserver(() => texts.push(section().textContent ?? ''))
  observer.observe(section(), { childList: true, subtree: true, characterData: true })
  await user.click(screen.getByRole('button', { name: 'Create lizard' }))
  await waitFor(() => expect(names()).toEqual(['Dog', 'Guinea pig', 'Lizard']))
  observer.disconnect()
  expect(service.categories()).toHaveLength(3)
  expect(texts.filter((text) => text.includes('Creating…'))).toEqual([])
})

test('S6 creations that are over at once do not make the list render later', async () => {
  fakeTime()
  const onRender = vi.fn<() => void>()
  renderOnService(
    <>
      <Profiler id="list" onRender={onRender}>
        <CategoryList />
      </Profiler>
      <CreateLizard />
    </>,
  )
  await screen.findByText('Rabbit')
  for (const count of [1, 2, 3]) {
    fireEvent.click(screen.getByRole('button', { name: 'Create lizard' }))
    await waitFor(() => expect(names().filter((name) => name === 'Lizard')).toHaveLength(count))
  }
  onRender.mockClear()
  await advanceTime(2 * slowAfter)
  expect(onRender).not.toHaveBeenCalled()
})

test('S6 each pending row shows after 300 ms, also while one category after another is created', async () => {
  const { hold } = renderList({}, { service: twoPets, beside: <CreateLizard /> })
  await screen.findByText('Dog')
  hold('POST')
  hold('POST')
  fakeTime()
  fireEvent.click(screen.getByRole('button', { name: 'Create lizard' }))
  await advanceTime(slowAfter - 50)
  fireEvent.click(screen.getByRole('button', { name: 'Create lizard' }))
  await advanceTime(60)
  expect(names()).toEqual(['Dog', 'Guinea pig', 'Lizard'])
  await advanceTime(slowAfter)
  expect(names()).toEqual(['Dog', 'Guinea pig', 'Lizard', 'Lizard'])
})

test('R1 the button refreshes: it says so, keeps the focus, ignores presses meanwhile, and announces the end', async () => {
  const { service, hold } = renderList()
  await screen.findByText('Rabbit')
  const response = hold('GET')
  const announcements = recordAnnouncements()
  await user.click(refreshButton())
  const button = await screen.findByRole('button', { name: 'Refreshing…' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(section().getAttribute('aria-busy')).toBeNull()
  await user.click(button)
  response.letGo()
  expect((await screen.findByRole('button', { name: 'Refresh' })).getAttribute('aria-disabled')).toBe('false')
  expect(document.activeElement).toBe(refreshButton())
  expect(service.requests).toHaveLength(2)
  await waitFor(() => expect(announcements.filter((text) => text.includes('up to date'))).toHaveLength(1))
})

test('R1 a refresh that has failed is not announced as done', async () => {
  fakeTime()
  const { service } = renderList()
  await screen.findByText('Rabbit')
  service.failNext({ status: 500 })
  const announcements = recordAnnouncements()
  await user.click(refreshButton())
  expect(await screen.findByText('The service has a problem')).toBeDefined()
  await waitFor(() => expect(announcements.join()).toContain('The service has a problem'))
  await advanceTime(150)
  expect(announcements.join()).not.toContain('up to date')
})

function SignOut() {
  const clear = useClear()
  return (
    <button type="button" onClick={clear}>
      Sign out
    </button>
  )
}

test('R1 a refresh that signing out has ended is not announced as done', async () => {
  const { hold } = renderList({}, { beside: <SignOut /> })
  await screen.findByText('Rabbit')
  const response = hold('GET')
  hold('GET')
  const announcements = recordAnnouncements()
  await user.click(refreshButton())
  await response.arrived
  await screen.findByRole('button', { name: 'Refreshing…' })
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  await waitFor(() => expect(screen.queryByText('Rabbit')).toBeNull())
  announce('The last thing said', section()) // once this is spoken, so is everything before it
  await waitFor(() => expect(announcements.at(-1)).toBe('The last thing said'))
  expect(announcements.join()).not.toContain('up to date')
})

test('R1 there is no button where the app wants none', async () => {
  renderList({ refreshable: false, filterable: false })
  await screen.findByText('Rabbit')
  expect(screen.queryByRole('button')).toBeNull()
})

test('R2 a refresh leaves the elements of the rows and the focus in them alone', async () => {
  const service = createPetstoreService(twoPets)
  renderList({ selectionMode: 'multiple' }, { service })
  await screen.findByText('Dog')
  const before = screen.getAllByRole('listitem')
  const { fetch } = service
  await fetch(`${service.baseUrl}/categories`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Newt' }),
  })
  await user.click(refreshButton())
  const box = screen.getByRole('checkbox', { name: 'Guinea pig' })
  act(() => box.focus())
  await screen.findByText('Newt')
  expect(screen.getAllByRole('listitem').slice(0, 2)).toEqual(before)
  expect(document.activeElement).toBe(box)
})

test('R3 after a retry that went well, the focus is on the section, not on the body', async () => {
  const { service, hold } = renderList()
  await screen.findByText('Rabbit')
  service.failNext({ status: 500 }, 2)
  await user.click(refreshButton())
  await screen.findByText('The service has a problem')
  await user.click(tryAgain())
  await waitFor(() => expect(service.requests).toHaveLength(3))
  await waitFor(() => expect(tryAgain().getAttribute('aria-disabled')).not.toBe('true'))
  expect(document.activeElement).toBe(tryAgain())

  const response = hold('GET')
  await user.click(tryAgain())
  response.letGo()
  await waitFor(() => expect(screen.queryByText('The service has a problem')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(section()))
  await user.tab()
  expect(section().hasAttribute('tabindex')).toBe(false)
})

test('R3 the focus stays where it is when it was not in the notice', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 500 })
  const { hold } = renderList({}, { service, beside: <button type="button">Elsewhere</button> })
  await screen.findByText('The service has a problem')
  const response = hold('GET')
  await user.click(tryAgain())
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }))
  response.letGo()
  await screen.findByText('Rabbit')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Elsewhere' }))
})

test('R3 a button in the empty state that has done its work leaves the focus to the section', async () => {
  const { hold } = renderList({ emptyAction: <CreateLizard /> }, { service: { categories: [] } })
  const response = hold('POST')
  await user.click(await screen.findByRole('button', { name: 'Create lizard' }))
  await screen.findByText('Creating…')
  await waitFor(() => expect(document.activeElement).toBe(section()))
  response.letGo()
  await waitFor(() => expect(screen.queryByText('Creating…')).toBeNull())
})

test('R3 a row that goes with the focus in it leaves it to the section', async () => {
  const [three, two] = [createPetstoreService({ categories: 3 }), createPetstoreService({ categories: 2 })]
  const fetches = [three.fetch, two.fetch]
  renderList(
    { selectionMode: 'multiple' },
    { service: { ...three, fetch: (...args) => (fetches.shift() ?? two.fetch)(...args) } },
  )
  const box = await screen.findByRole('checkbox', { name: 'Rabbit 3' })
  box.focus()
  fireEvent.click(refreshButton())
  await screen.findByText('2 categories')
  expect(box.isConnected).toBe(false)
  expect(document.activeElement).toBe(section())
})
