import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { useCategories } from '../../src/index.ts'
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
