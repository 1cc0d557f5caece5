import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { CategoryList, createPetstoreClient, en, PetstoreProvider, useCategories } from '../../src/index.ts'
import { createPetstoreService, type Fault } from '../../src/testing.ts'
import { noAnswer, optionsFor, OwnCache, renderOnService } from '../renderOnService.tsx'

afterEach(cleanup)

const region = () => screen.getByRole('region', { name: 'Categories' })
const tryAgain = () => screen.getByRole('button', { name: 'Try again' })

test('says that it loads, then shows each name with its description', async () => {
  const service = createPetstoreService({
    categories: [{ name: 'Dog', description: 'Loyal' }, { name: 'Guinea pig' }],
  })
  renderOnService(<CategoryList />, { service })
  expect(region().getAttribute('aria-busy')).toBe('true')
  expect(within(region()).getByText('Loading categories…')).toBeDefined()

  const list = await screen.findByRole('list')
  const rows = within(list).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual(['DogLoyal', 'Guinea pig'])
  expect(screen.getByText('Loyal').getAttribute('dir')).toBe('auto')
  expect(screen.queryByText('Loading categories…')).toBeNull()
  expect(region().getAttribute('aria-busy')).toBe('false')
})

test('says so when there are none', async () => {
  renderOnService(<CategoryList />, { service: createPetstoreService({ categories: [] }) })
  expect(await screen.findByText('No categories yet')).toBeDefined()
  expect(screen.queryByRole('list')).toBeNull()
})

const failures: [fault: Fault, title: string][] = [
  [{ status: 400 }, 'That did not work'],
  [{ status: 401 }, 'Not signed in'],
  [{ status: 418 }, 'Unexpected answer'],
  [{ status: 503 }, 'The service has a problem'],
  [{ connection: 'lost-before' }, 'No connection'],
  [{ body: 'malformed-json' }, 'Unreadable answer'],
  [{ body: 'wrong-shape' }, 'Unreadable answer'],
]

test.each(failures)('%o is told as "%s", and "Try again" brings the rows', async (fault, title) => {
  const service = createPetstoreService()
  service.failNext(fault)
  renderOnService(<CategoryList />, { service })
  expect((await screen.findByRole('alert')).textContent).toContain(title)
  expect(screen.queryByText('Loading categories…')).toBeNull()

  await userEvent.click(tryAgain())
  expect(await screen.findByText('Rabbit')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('after a 429, "Try again" sends nothing before the time that the service has named', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 429, headers: { 'Retry-After': '60' } })
  renderOnService(<CategoryList />, { service })
  expect((await screen.findByRole('alert')).textContent).toContain('Too many requests')
  await userEvent.click(tryAgain())
  await waitFor(() => expect(tryAgain().getAttribute('aria-disabled')).toBe('false'))
  expect(screen.getByRole('alert').textContent).toContain('Too many requests')
  expect(service.journal).toHaveLength(1)
})

test('while it tries again, the button keeps the focus and does nothing', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 500 })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const fetch = vi.fn<(request: Request) => Promise<Response>>(async (request) => {
    if (fetch.mock.calls.length === 2) await released
    return service.fetch(request)
  })
  render(
    <OwnCache>
      <PetstoreProvider {...optionsFor({ fetch })}>
        <CategoryList />
      </PetstoreProvider>
    </OwnCache>,
  )
  await screen.findByRole('alert')
  await userEvent.click(tryAgain())
  await waitFor(() => expect(tryAgain().getAttribute('aria-disabled')).toBe('true'))
  expect(document.activeElement).toBe(tryAgain())
  await userEvent.click(tryAgain())
  release()
  expect(await screen.findByText('Rabbit')).toBeDefined()
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('rows stay when a refresh fails, below the error', async () => {
  function Refresh() {
    const { refresh } = useCategories()
    return (
      <button type="button" onClick={() => void refresh()}>
        Refresh
      </button>
    )
  }
  const { service } = renderOnService(
    <>
      <Refresh />
      <CategoryList />
    </>,
  )
  await screen.findByText('Rabbit')
  service.failNext({ connection: 'lost-before' })
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  const alert = await screen.findByRole('alert')
  expect(alert.compareDocumentPosition(screen.getByRole('list'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(screen.getByText('Rabbit')).toBeDefined()
})

test('passes native props and the ref on to its section, and adds class names to its own', async () => {
  const ref = createRef<HTMLElement>()
  renderOnService(<CategoryList ref={ref} id="pets" className="mine" aria-label="Pets" data-testid="list" />)
  const section = screen.getByRole('region', { name: 'Pets' })
  expect(ref.current).toBe(section)
  expect(section.id).toBe('pets')
  expect([...section.classList]).toEqual(['petstore-category-list', 'mine'])
  await screen.findByText('Rabbit')
})

test('speaks the words of the provider', async () => {
  const service = createPetstoreService({ categories: [] })
  const labels = { ...en, categoryList: { name: 'Kategorien', loading: 'Lädt…', empty: 'Noch keine Kategorien' } }
  render(
    <OwnCache>
      <PetstoreProvider {...optionsFor(service)} labels={labels}>
        <CategoryList />
      </PetstoreProvider>
    </OwnCache>,
  )
  expect(screen.getByRole('region', { name: 'Kategorien' }).textContent).toBe('Lädt…')
  expect(await screen.findByText('Noch keine Kategorien')).toBeDefined()
})

test('survives that the app closes its own client', async () => {
  const service = createPetstoreService()
  let answers = false
  const fetch = vi.fn<(request: Request) => Promise<Response>>((request) =>
    answers ? service.fetch(request) : noAnswer(request),
  )
  const client = createPetstoreClient({ ...optionsFor(service), fetch })
  render(
    <OwnCache>
      <PetstoreProvider client={client}>
        <CategoryList />
      </PetstoreProvider>
    </OwnCache>,
  )
  await waitFor(() => expect(fetch).toHaveBeenCalledOnce())
  client.close()
  expect(await screen.findByRole('alert')).toBeDefined()
  answers = true
  await userEvent.click(tryAgain())
  expect(await screen.findByText('Rabbit')).toBeDefined()
})

test('logs nothing', async () => {
  const logged = vi.spyOn(console, 'error')
  renderOnService(<CategoryList />)
  await screen.findByText('Rabbit')
  expect(logged).not.toHaveBeenCalled()
  logged.mockRestore()
})
