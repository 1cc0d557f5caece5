import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createRef, type ReactElement } from 'react'
import { afterEach, expect, test } from 'vitest'
import { CategoryManager } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { holdResponses } from '../hooks/holdResponses.ts'
import { renderOnService } from '../renderOnService.tsx'

afterEach(cleanup)

const list = () => screen.getByRole('region', { name: 'Categories' })
const nameField = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Create category' }))

test('M1 it shows the list, the form and the badge, in a div that takes native props and a ref', async () => {
  const ref = createRef<HTMLDivElement>()
  renderOnService(<CategoryManager ref={ref} id="manager" className="mine" data-app="yes" />)
  expect(await within(list()).findByText('Rabbit')).toBeDefined()
  expect(screen.getByRole('form', { name: 'New category' })).toBeDefined()
  expect(screen.getByRole('group', { name: 'API requests' })).toBeDefined()
  expect(ref.current?.id).toBe('manager')
  expect(ref.current?.className).toBe('petstore-root petstore-category-manager mine')
  expect(ref.current?.dataset['app']).toBe('yes')
})

test('M2 props are handed on to the parts', async () => {
  renderOnService(
    <CategoryManager
      list={{ filterable: false, className: 'my-list' }}
      form={{ defaultValues: { name: 'Hamster' } }}
      badge={{ compact: true, className: 'my-badge' }}
    />,
  )
  await within(list()).findByText('Rabbit')
  expect(list().className).toContain('my-list')
  expect(screen.queryByRole('searchbox')).toBeNull()
  expect(nameField().value).toBe('Hamster')
  expect(document.querySelector('.my-badge')).not.toBeNull()
})

/** Renders on a service that holds the next creation. */
function renderHeld(manager: ReactElement) {
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  const { fetch, hold } = holdResponses(service)
  renderOnService(manager, { service: { ...service, fetch: (input) => fetch(new Request(input)) } })
  return { service, release: hold('POST').letGo }
}

test('M3, S6 of CategoryForm: what is undefined in `form` leaves the default, so the list shows what is being created', async () => {
  const { release } = renderHeld(<CategoryManager form={{ optimistic: undefined }} />)
  await within(list()).findByText('Dog')
  await userEvent.type(nameField(), 'Hamster')
  await submit()
  expect(await within(list()).findByText('Creating…')).toBeDefined()
  release()
  await waitFor(() => expect(within(list()).queryByText('Creating…')).toBeNull())
})

test('M2 M5 headings and buttons take the labels of the parts; the empty list leads to the form', async () => {
  renderOnService(
    <CategoryManager
      headingLevel={2}
      form={{ labels: { title: 'New shelf', submit: 'Add shelf', close: 'Hide' } }}
      list={{ labels: { name: 'Shelves' } }}
    />,
    { service: createPetstoreService({ categories: [] }) },
  )
  const shelves = screen.getByRole('region', { name: 'Shelves' })
  expect(screen.getByRole('button', { name: 'New shelf' })).toBeDefined()
  await userEvent.click(await within(shelves).findByRole('button', { name: 'Add shelf' }))
  expect(document.activeElement).toBe(within(screen.getByRole('form', { name: 'New shelf' })).getByLabelText('Name'))
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['New shelf', 'Shelves'])
  expect(screen.getByRole('button', { name: 'Hide' })).toBeDefined()
})

test('M7 with a level there are headings, which name the form and the list', async () => {
  renderOnService(<CategoryManager />)
  await within(list()).findByText('Rabbit')
  expect(screen.queryByRole('heading')).toBeNull()
  cleanup()

  renderOnService(<CategoryManager headingLevel={3} />)
  await within(list()).findByText('Rabbit')
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'New category',
    'Categories',
  ])
  const headings = screen.getAllByRole('heading').map(({ id }) => id)
  const named = [screen.getByRole('form'), list()].map((part) => part.getAttribute('aria-labelledby'))
  expect(named).toEqual(headings)
})

test('P7, R1 of CategoryList: during a pause of the key every button that sends is held; a press sends nothing, and the notice stays', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 403, headers: { 'Retry-After': '1800' } })
  renderOnService(<CategoryManager />, { service })
  await within(list()).findByText('API key paused by the service')
  const create = screen.getByRole('button', { name: 'Create category' })
  await waitFor(() => expect(create.textContent).toMatch(/^Create (?:tomorrow )?at \d+:\d\d\s[AP]MCreate category$/))
  const refresh = within(list()).getByRole('button', { name: 'Refresh' })
  expect([create, refresh].map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', 'true'])

  await userEvent.type(nameField(), 'Hamster')
  await userEvent.click(create)
  const form = screen.getByRole('form')
  await waitFor(() => expect(within(form).getAllByText('API key paused by the service')).not.toEqual([]))
  expect(within(form).queryByRole('group', { name: 'API key paused by the service' })).toBeNull()
  expect(within(list()).getByRole('group', { name: 'API key paused by the service' })).toBeDefined()
  expect(nameField().value).toBe('Hamster')
  expect(service.requests).toHaveLength(1)
})
