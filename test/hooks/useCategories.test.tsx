import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Suspense } from 'react'
import type { SWRConfiguration } from 'swr'
import { afterEach, expect, test } from 'vitest'
import { isPetstoreError, useCategories } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderOnService } from '../renderOnService.tsx'

afterEach(cleanup)

function Names() {
  const { data, error, isLoading, isValidating, refresh } = useCategories()
  return (
    <>
      <p>{isLoading ? 'loading' : isValidating ? 'validating' : 'idle'}</p>
      <p>{data ? data.map(({ name }) => name).join(', ') : 'nothing yet'}</p>
      {error && <p>failed: {error.kind}</p>}
      <button type="button" onClick={() => void refresh()}>
        Refresh
      </button>
    </>
  )
}

const pets = createPetstoreService.bind(undefined, { categories: [{ name: 'Dog' }, { name: 'Cat' }] })
const refresh = () => userEvent.click(screen.getByRole('button', { name: 'Refresh' }))

test('loads the categories', async () => {
  const { service } = renderOnService(<Names />, { service: pets() })
  expect(screen.getByText('loading')).toBeDefined()
  expect(screen.getByText('nothing yet')).toBeDefined()

  expect(await screen.findByText('Dog, Cat')).toBeDefined()
  expect(screen.getByText('idle')).toBeDefined()
  expect(service.requests).toMatchObject([{ operation: 'listCategories', key: 'demo', status: 200 }])
})

test('ten components share one request', async () => {
  const { service } = renderOnService(
    <>
      {Array.from({ length: 10 }, (_, index) => (
        <Names key={index} />
      ))}
    </>,
    { service: pets() },
  )
  await waitFor(() => expect(screen.getAllByText('Dog, Cat')).toHaveLength(10))
  expect(service.requests).toHaveLength(1)
})

test('refresh sends a request and shows the old rows until the new ones arrive', async () => {
  const { service } = renderOnService(<Names />, { service: pets() })
  await screen.findByText('Dog, Cat')
  await service.fetch(`${service.baseUrl}/categories`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/json' },
    body: '{"name":"Rabbit"}',
  })
  await refresh()
  expect(await screen.findByText('Dog, Cat, Rabbit')).toBeDefined()
  expect(service.requests.filter(({ method }) => method === 'GET')).toHaveLength(2)
})

test('refresh settles when the response arrives and never rejects', async () => {
  const service = pets()
  let settled: unknown
  function Refresher() {
    const categories = useCategories()
    return (
      <>
        <p>{categories.error?.kind ?? categories.data?.length}</p>
        <button
          type="button"
          onClick={() => {
            categories.refresh().then(
              (value) => (settled = { value, statuses: service.requests.map(({ status }) => status) }),
              (reason: unknown) => (settled = { reason }),
            )
          }}
        >
          Refresh
        </button>
      </>
    )
  }
  renderOnService(<Refresher />, { service })
  await screen.findByText('2')
  service.failNext({ status: 500 })
  await refresh()
  await waitFor(() => expect(settled).toEqual({ value: undefined, statuses: [200, 500] }))
  expect(screen.getByText('server')).toBeDefined()
})

test('a failure is a typed error, and SWR does not retry it', async () => {
  const service = pets()
  service.failNext({ connection: 'lost-before' })
  function Failure() {
    const { error } = useCategories()
    return <p>{isPetstoreError(error) && error.kind === 'network' ? error.message : 'no error'}</p>
  }
  renderOnService(<Failure />, { service, swr: { errorRetryInterval: 1 } })
  await screen.findByText(/No response from the service/)

  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.getByText(/No response from the service/)).toBeDefined()
})

test('a successful refresh after a failure shows the rows and removes the error', async () => {
  const service = pets()
  service.failNext({ status: 500 })
  renderOnService(<Names />, { service })
  await screen.findByText('failed: server')
  await refresh()
  expect(await screen.findByText('Dog, Cat')).toBeDefined()
  expect(screen.queryByText('failed: server')).toBeNull()
})

test('a failed refresh keeps the rows', async () => {
  const service = pets()
  renderOnService(<Names />, { service })
  await screen.findByText('Dog, Cat')
  service.failNext({ body: 'malformed-json' })
  await refresh()
  expect(await screen.findByText('failed: response-validation')).toBeDefined()
  expect(screen.getByText('Dog, Cat')).toBeDefined()
})

const appWide: [option: string, swr: SWRConfiguration][] = [
  ['suspense', { suspense: true }],
  ['revalidateOnMount', { revalidateOnMount: false }],
  ['isPaused', { isPaused: () => true }],
  ['fetcher', { fetcher: () => Promise.reject(new Error('the wrong fetcher')) }],
  ['compare', { compare: () => true }],
]

test.each(appWide)('an app-wide SWR setting of %s does not break the hook', async (_, swr) => {
  const { service } = renderOnService(
    <Suspense fallback="suspended">
      <Names />
    </Suspense>,
    { service: pets(), swr },
  )
  expect(screen.queryByText('suspended')).toBeNull()
  expect(await screen.findByText('Dog, Cat')).toBeDefined()
  expect(service.requests).toHaveLength(1)

  service.failNext({ status: 500 })
  await refresh()
  expect(await screen.findByText('failed: server')).toBeDefined()
})
