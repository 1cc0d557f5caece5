import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { useCategories, usePetstoreQuery } from '../../src/index.ts'
import {
  createSearchService,
  pass,
  recordingClient,
  renderOnClient,
  search,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'
import { Found, refresh, shown } from './usePetstoreQuery.setup.tsx'
import { createPetstoreService } from '../../src/testing.ts'
import { renderOnService } from '../renderOnService.tsx'

stopTimeInEachTest()

describe('enabled: false', () => {
  test('sends nothing, not even at its interval, until a person refreshes', async () => {
    const service = createSearchService()
    const { client, priorities } = recordingClient(service)
    renderOnClient(<Found term="dog" enabled={false} refreshInterval={1_000} />, client)
    await settle()
    await pass(60_000)
    expect(service.requests).toEqual([])
    expect(shown()).toEqual(['nothing, no error, idle'])
    refresh()
    await settle(() => service.requests.length > 0)
    expect(shown()).toEqual(['dog 1, no error, idle'])
    expect(priorities).toEqual(['user'])
    await pass(60_000)
    expect(service.requests).toHaveLength(1)
  })

  test.each([
    ['a disabled one first', [false, true]],
    ['an enabled one first', [true, false]],
  ])('does not stop other components from polling and refreshing: %s', async (_, [first, second]) => {
    const service = createSearchService()
    const { client } = recordingClient(service)
    renderOnClient(
      <>
        <Found term="dog" enabled={first} refreshInterval={10_000} />
        <Found term="dog" enabled={second} refreshInterval={10_000} />
      </>,
      client,
    )
    await settle(() => service.requests[0]?.status !== undefined)
    await pass(10_000)
    expect(shown()).toEqual(['dog 2, no error, idle', 'dog 2, no error, idle'])
    for (const button of screen.getAllByRole('button')) {
      fireEvent.click(button)
      await settle(() => !shown().some((text) => text?.includes('validating')))
    }
    expect(shown()).toEqual(['dog 4, no error, idle', 'dog 4, no error, idle'])
  })

  test('loads when it becomes enabled, but not what is fresh', async () => {
    const service = createSearchService()
    const { client } = recordingClient(service)
    const { rerender } = renderOnClient(<Found term="dog" enabled={false} />, client)
    await settle()
    rerender(<Found term="dog" enabled />)
    await settle(() => service.requests[0]?.status !== undefined)
    expect(shown()).toEqual(['dog 1, no error, idle'])

    rerender(<Found term="dog" enabled={false} />)
    await pass(10_000)
    rerender(<Found term="dog" />)
    await settle()
    expect(service.requests).toHaveLength(1)

    rerender(<Found term="dog" enabled={false} />)
    await pass(40_000)
    rerender(<Found term="dog" />)
    await settle(() => service.requests.length > 1)
    expect(shown()).toEqual(['dog 2, no error, idle'])
  })
})

test('dataUpdatedAt is the time of the last response, even if it was equal, and stays after a failure', async () => {
  const rendered = vi.fn<() => void>()
  function Age() {
    const { dataUpdatedAt, refresh: load } = useCategories()
    rendered()
    return (
      <button type="button" onClick={() => void load()}>
        {dataUpdatedAt ?? 'never'}
      </button>
    )
  }
  const { service } = renderOnService(<Age />, { service: createPetstoreService() })
  expect(shown()).toEqual(['never'])
  await settle(() => service.requests[0]?.status !== undefined)
  const first = Date.now()
  expect(shown()).toEqual([String(first)])
  await pass(5_000)
  refresh()
  await settle(() => service.requests[1]?.status !== undefined)
  expect(shown()).toEqual([String(first + 5_000)])
  const before = rendered.mock.calls.length
  service.failNext({ status: 500 })
  await pass(5_000)
  refresh()
  await settle(() => service.requests[2]?.status !== undefined)
  expect(shown()).toEqual([String(first + 5_000)])
  expect(rendered).toHaveBeenCalledTimes(before)
})

test('isPollingPaused says that polling rests while the quota is low', async () => {
  function Polling() {
    const { data, isPollingPaused } = useCategories({ refreshInterval: 5_000 })
    return <p>{`${data?.length ?? 0} rows, ${isPollingPaused ? 'paused' : 'polling'}`}</p>
  }
  const { service } = renderOnService(<Polling />, {
    service: createPetstoreService({ plan: [{ limit: 5, per: 60_000 }] }),
  })
  await settle(() => service.requests[0]?.status !== undefined)
  expect(screen.getByText('5 rows, polling')).toBeDefined()
  for (let polls = 0; polls < 4; polls += 1) await pass(5_000)
  expect(screen.getByText('5 rows, paused')).toBeDefined()
  const { length } = service.requests
  await pass(10_000)
  expect(service.requests).toHaveLength(length)
  // The next window has quota again.
  await pass(15_000)
  expect(screen.getByText('5 rows, polling')).toBeDefined()
  expect(service.requests.length).toBeGreaterThan(length)
})

test('a component that reads its result only after the response does not show "loading" for ever', async () => {
  const service = createSearchService()
  function Late() {
    const found = usePetstoreQuery(search, { term: 'dog' })
    const [isOpen, setIsOpen] = useState(false)
    const text = isOpen ? `${found.data?.join()}, ${found.isLoading ? 'loading' : 'idle'}` : 'closed'
    return (
      <button type="button" onClick={() => setIsOpen(true)}>
        {text}
      </button>
    )
  }
  renderOnClient(<Late />, recordingClient(service).client)
  await settle(() => service.requests[0]?.status !== undefined)
  fireEvent.click(screen.getByText('closed'))
  expect(screen.getByText('dog 1, idle')).toBeDefined()
})
