import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, useCategories } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderWithPetstore } from '../../src/testing/react.ts'
import { componentOf, runProgram } from './runProgram.ts'

/** A component of docs/recipes.md. */
async function recipe(name: string) {
  return componentOf(await runProgram('docs/recipes.md', `export function ${name}(`), name)
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Names() {
  const { data } = useCategories()
  return <p>{data?.map(({ name }) => name).join(', ')}</p>
}

test('the toast shows an error that no other code handles, once', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 401 }, 3) // more than the page sends
  vi.stubGlobal('fetch', service.fetch)
  const toast = vi.fn<(text: string) => string>(() => 'the id of the toast')
  const App = await recipe('App')
  const { unmount } = render(
    <StrictMode>
      <App toast={toast}>
        <Names />
      </App>
    </StrictMode>,
  )
  await waitFor(() => expect(toast).toHaveBeenCalled())
  unmount()
  expect(toast.mock.calls).toEqual([['You’re signed out. Sign in, then try again.']])
})

/** The mock service needs no schemas: the recipes define the same operations with schemas. */
const unchecked = z.unknown()

test('a toy is loaded when the pointer enters its link, so it shows at once when it is opened', async () => {
  const ToyLinks = await recipe('ToyLinks')
  const getToy = defineOperation({ name: 'getToy', path: '/toys/{toyId}', input: unchecked, output: unchecked })
  const service = createPetstoreService({
    categories: [{ name: 'Dog' }],
    operations: [{ operation: getToy, handle: ({ params: { toyId = '' } }) => ({ body: { name: `Ball ${toyId}` } }) }],
  })
  renderWithPetstore(
    <>
      {/* The recipe loads ahead only while it knows that requests are left: this response says so. */}
      <Names />
      <ToyLinks toyIds={['7', '8']} />
    </>,
    { service },
  )
  await screen.findByText('Dog')
  fireEvent.pointerEnter(screen.getByText('Toy 7'))
  await waitFor(() => expect(service.requests).toMatchObject([{ status: 200 }, { status: 200 }]))
  fireEvent.click(screen.getByText('Toy 7'))
  expect(screen.getByRole('heading').textContent).toBe('Ball 7')
  expect(service.requests.map(({ path }) => path)).toEqual(['/v1/categories', '/v1/toys/7'])
})

test('ten keystrokes in a search field send one request', async () => {
  const ToySearch = await recipe('ToySearch')
  const searchToys = defineOperation({ name: 'searchToys', path: '/toys/search', input: unchecked, output: unchecked })
  const service = createPetstoreService({
    operations: [
      { operation: searchToys, handle: ({ query }) => ({ body: [{ name: `${query.get('term')} of wood` }] }) },
    ],
  })
  renderWithPetstore(<ToySearch />, { service })
  const field = screen.getByLabelText('Search toys')
  const text = 'wheelbarro'
  for (let length = 1; length <= text.length; length += 1) {
    fireEvent.change(field, { target: { value: text.slice(0, length) } })
  }
  await screen.findByText('wheelbarro of wood')
  expect(service.requests).toHaveLength(1)
})

test('"Show more" adds the next page, and no page is loaded twice', async () => {
  const AllToys = await recipe('AllToys')
  const listToys = defineOperation({ name: 'listToys', path: '/toys', input: unchecked, output: unchecked })
  const service = createPetstoreService({
    operations: [
      {
        operation: listToys,
        handle: ({ query }) => {
          const page = Number(query.get('page'))
          return { body: { toys: [{ name: `Toy ${page}` }], hasMore: page < 3 } }
        },
      },
    ],
  })
  renderWithPetstore(<AllToys />, { service })
  fireEvent.click(await screen.findByText('Show more'))
  await screen.findByText('Toy 2')
  fireEvent.click(screen.getByText('Show more'))
  await screen.findByText('Toy 3')
  expect(screen.queryByText('Show more')).toBeNull()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Toy 1', 'Toy 2', 'Toy 3'])
  expect(service.requests).toHaveLength(3)
})

test('a banner says that the connection is lost, and is empty once it is back', async () => {
  const ConnectionBanner = await recipe('ConnectionBanner')
  renderWithPetstore(<ConnectionBanner />)
  expect(screen.getByRole('status').textContent).toBe('')
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void dispatchEvent(new Event('offline')))
  expect(screen.getByRole('status').textContent).toContain('offline')
  isOnline.mockRestore()
  act(() => void dispatchEvent(new Event('online')))
  expect(screen.getByRole('status').textContent).toBe('')
})

test('after a sign-out, the next person sees nothing of the last one', async () => {
  const [SignedIn, SignOut] = [await recipe('SignedIn'), await recipe('SignOut')]
  const serviceByKey = new Map([
    ['key-of-ann', createPetstoreService({ categories: [{ name: 'Cat of Ann' }], keys: ['key-of-ann'] })],
    ['key-of-bob', createPetstoreService({ categories: [{ name: 'Dog of Bob' }], keys: ['key-of-bob'] })],
  ])
  vi.stubGlobal('fetch', (request: Request) => {
    const key = request.headers.get('Authorization')?.replace('Bearer ', '') ?? ''
    return serviceByKey.get(key)?.fetch(request) ?? Promise.reject(new Error(key))
  })
  const sessionOf = (name: string) => ({ userId: name, getKey: () => Promise.resolve(`key-of-${name}`) })
  const page = (session?: ReturnType<typeof sessionOf>) => (
    <SignedIn session={session} signIn={<p>Sign in</p>}>
      <Names />
      <SignOut endSession={() => rerender(page())} />
    </SignedIn>
  )
  const { rerender } = render(page(sessionOf('ann')))
  await screen.findByText('Cat of Ann')
  fireEvent.click(screen.getByText('Sign out'))
  expect(document.body.textContent).toBe('Sign in')
  rerender(page(sessionOf('bob')))
  expect(screen.queryByText('Cat of Ann')).toBeNull()
  await screen.findByText('Dog of Bob')
})
