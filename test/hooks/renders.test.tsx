import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { SWRConfig } from 'swr'
import { afterEach, expect, test } from 'vitest'
import { type Category, createPetstoreClient, PetstoreProvider, useCategories, useRateLimit } from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { settle } from './query.setup.tsx'

afterEach(cleanup)

// Without StrictMode, which renders twice.
function renderOn(service: PetstoreService, ui: ReactNode) {
  const client = createPetstoreClient(optionsFor(service))
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <PetstoreProvider client={client}>{ui}</PetstoreProvider>
    </SWRConfig>,
  )
  return client
}

const hasResponded = (service: PetstoreService, count: number) => () =>
  service.requests.filter(({ respondedAt }) => respondedAt !== undefined).length === count

const refresh = () => fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))

/** Can refresh, but reads no field. */
function Refresh() {
  const categories = useCategories()
  return (
    <button type="button" onClick={() => void categories.refresh()}>
      Refresh
    </button>
  )
}

test('a change of the quota renders only the components that read it', async () => {
  const service = createPetstoreService({ categories: 3 })
  const rendered: string[] = []
  function Rows() {
    const { data, error, isLoading, isValidating, wait } = useCategories()
    rendered.push('rows')
    return <p>{[data?.length, error?.kind, isLoading, isValidating, wait?.until].join()}</p>
  }
  function Quota() {
    const { remaining } = useRateLimit()
    rendered.push(`quota ${remaining}`)
    return null
  }
  const client = renderOn(
    service,
    <>
      <Rows />
      <Quota />
    </>,
  )
  await settle(hasResponded(service, 1))
  rendered.length = 0
  const other = client.createCategory({ name: 'Dog' })
  await settle(hasResponded(service, 2))
  await act(() => other)
  expect(new Set(rendered)).toEqual(new Set(['quota 58'])) // two of 60 are used
})

test('an equal response is the same array, and does not render components that read only data', async () => {
  const service = createPetstoreService({ categories: 3 })
  const rendered: (readonly Category[] | undefined)[] = []
  function Rows() {
    const { data } = useCategories()
    rendered.push(data)
    return null
  }
  function Validating() {
    const { data, isValidating } = useCategories()
    return <p data-testid="validating">{`${data?.length} ${isValidating}`}</p>
  }
  renderOn(
    service,
    <>
      <Rows />
      <Refresh />
      <Validating />
    </>,
  )
  await settle(hasResponded(service, 1))
  expect(rendered).toHaveLength(2)
  const before = rendered.at(-1)
  expect(before).toHaveLength(3)
  refresh()
  await settle(hasResponded(service, 2))
  expect(rendered).toHaveLength(2)

  // A different response renders it again, so the check above could have failed.
  await service.fetch(`${service.baseUrl}/categories`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/json' },
    body: '{"name":"Rabbit"}',
  })
  refresh()
  await settle(hasResponded(service, 4))
  expect(rendered).toHaveLength(3)
  expect(rendered.at(-1)).toHaveLength(4)
})
