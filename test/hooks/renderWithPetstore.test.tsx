import { cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { CategoryForm, CategoryList, type PetstoreError, PetstoreProvider, useCategories } from '../../src/index.ts'
import { de } from '../../src/labels/de.ts'
import { createPetstoreService } from '../../src/testing.ts'
import {
  createPetstoreWrapper,
  renderWithPetstore,
  renderWithPetstoreAsync,
  resetPetstore,
} from '../../src/testing/react.ts'

afterEach(cleanup)

function Names() {
  const { data } = useCategories()
  return <p>{data?.map(({ name }) => name).join(' ') ?? 'loading'}</p>
}

test('renderWithPetstore renders on a new service, and returns it with the queries of Testing Library', async () => {
  const { findByText, service, user } = renderWithPetstore(<CategoryList />)
  await findByText('Guinea pig')
  expect(service.requests.map(({ operation }) => operation)).toEqual(['listCategories'])
  expect(user).toBeUndefined()
  expectTypeOf(user).toEqualTypeOf<undefined>()
})

test('a wrapper for `renderHook` has a service of its own', async () => {
  const { wrapper, service } = createPetstoreWrapper()
  const { result } = renderHook(() => useCategories(), { wrapper })
  await waitFor(() => expect(result.current.data).toHaveLength(5))
  expect(service.requests).toHaveLength(1)
})

test('after `resetPetstore`, a test with its own provider gets no data and no limit of the test before', async () => {
  for (const name of ['Dog', 'Cat']) {
    const { fetch, baseUrl } = createPetstoreService({ plan: [{ limit: 1, per: 3_600_000 }], categories: [{ name }] })
    const view = render(
      <PetstoreProvider {...{ fetch, baseUrl, apiKey: 'demo' }} scope="mine" retry={{ maxWait: 0 }}>
        <Names />
      </PetstoreProvider>,
    )
    expect(view.container.textContent).toBe('loading')
    // One test after the other.
    // oxlint-disable-next-line no-await-in-loop
    await view.findByText(name)
    view.unmount()
    resetPetstore()
  }
})

test('two calls of renderWithPetstore share no service, cache or rate limit', async () => {
  const limited = createPetstoreService({ plan: [{ limit: 1, per: 3_600_000 }], categories: [{ name: 'Dog' }] })
  const first = renderWithPetstore(<Names />, { service: limited })
  await first.findByText('Dog')
  first.unmount()
  const second = renderWithPetstore(<Names />)
  expect(second.container.textContent).toBe('loading')
  await waitFor(() => expect(second.service.requests).toHaveLength(1))
  expect(limited.requests).toHaveLength(1)
  second.unmount()
  // The gate knows nothing of the first render's quota, so the request leaves and is refused.
  renderWithPetstore(<Names />, { service: limited })
  await waitFor(() => expect(limited.requests.map(({ status }) => status)).toEqual([200, 429]))
})

test('renderWithPetstore takes the props of the provider, and returns a user if it gets `userEvent`', async () => {
  const onError = vi.fn<(error: PetstoreError) => void>()
  const service = createPetstoreService({ keys: ['first', 'second'] })
  service.failNext({ operation: 'createCategory', status: 500 })
  const options = { service, userEvent, apiKey: 'second', labels: de, onError, retry: { attempts: 1 } }
  const { user } = renderWithPetstore(<CategoryForm />, options)
  expectTypeOf(user).toEqualTypeOf<UserEvent>()
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Fox{Enter}')
  await screen.findByText(de.errorNotice.situations.mayHaveHappened.title)
  await waitFor(() => expect(onError).toHaveBeenCalledOnce())
  expect(service.requests).toMatchObject([{ operation: 'createCategory', key: 'second', status: 500 }])
})

/** A gateway's body: a message, and no complete Error body. */
const gatewayFault = { status: 400, body: '{"message":"Blocked by the firewall"}' }

test('cleanup removes the announcer, which does not say what it was about to say', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const service = createPetstoreService()
  service.failNext({ operation: 'createCategory', ...gatewayFault })
  const { user } = renderWithPetstore(<CategoryForm />, { service, userEvent })
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Fox{Enter}')
  await screen.findByText(/Blocked by the firewall/)
  expect(document.querySelectorAll('.petstore-announcer')).toHaveLength(1)
  cleanup()
  expect(document.body.textContent).toBe('')
  await vi.advanceTimersByTimeAsync(150) // longer than an announcement waits
  expect(document.body.textContent).toBe('')
  vi.useRealTimers()
})

function SuspendedNames() {
  const { data } = useCategories({ suspense: true })
  return <p>{data.map(({ name }) => name).join(' ')}</p>
}

test('renderWithPetstoreAsync renders a component that suspends without a warning, and returns a user', async () => {
  const error = vi.spyOn(console, 'error')
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  const view = await renderWithPetstoreAsync(
    <Suspense fallback="loading">
      <SuspendedNames />
    </Suspense>,
    { service, userEvent },
  )
  expectTypeOf(view.user).toEqualTypeOf<UserEvent>()
  expect(view.service).toBe(service)
  expect(error).not.toHaveBeenCalled()
  expect((await screen.findByText('Dog')).isConnected).toBe(true)
})
