import { screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, operations, PetstoreProvider, usePetstoreQuery } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import {
  createSearchService,
  focus,
  holdRequests,
  network,
  pass,
  recordingClient,
  renderInCache,
  renderOnClient,
  search,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'
import { Found, refresh, renderFound, shown } from './usePetstoreQuery.setup.tsx'

stopTimeInEachTest()

describe('input', () => {
  test('null sends no request, and a later input does', async () => {
    const service = createSearchService()
    const { client } = recordingClient(service)
    const { rerender } = renderOnClient(<Found term={null} />, client)
    await settle()
    refresh()
    await settle()
    expect(shown()).toEqual(['nothing, no error, idle'])
    expect(service.requests).toHaveLength(0)

    rerender(<Found term="dog" />)
    await settle(() => service.requests.length > 0)
    expect(shown()).toEqual(['dog 1, no error, idle'])
    rerender(<Found term={null} />)
    expect(shown()).toEqual(['nothing, no error, idle'])
    refresh()
    await settle()
    expect(service.requests).toHaveLength(1)
    rerender(<Found term="dog" />)
    expect(shown()).toEqual(['dog 1, no error, idle'])
  })
})

describe('freshness', () => {
  test.each([
    ['a remount', 'remount'],
    ['a focus', 'focus'],
    ['a reconnect', 'network'],
  ] as const)('%s sends no request within 30 s, and a background request after that', async (_, event) => {
    const { service, rerender, rerenderFound, priorities } = await renderFound()
    const happen = async () => {
      if (event === 'focus') return focus()
      if (event === 'network') {
        await network('offline')
        return network('online')
      }
      rerender(<p />)
      rerenderFound({})
      return pass(20)
    }
    await pass(29_000)
    await happen()
    expect(service.requests).toHaveLength(1)
    await pass(6_000) // SWR ignores a focus within five seconds of the last one
    await happen()
    expect(service.requests).toHaveLength(2)
    expect(shown()).toEqual(['dog 2, no error, idle'])
    expect(priorities).toEqual(['user', 'background'])
  })

  test('a failure is not fresh: a remount sends a request', async () => {
    const service = createSearchService()
    service.failNext({ status: 500 })
    const { rerender, rerenderFound, priorities } = await renderFound({}, service)
    expect(shown()).toEqual(['nothing, server, idle'])
    rerender(<p />)
    rerenderFound({})
    await settle()
    expect(shown()).toEqual(['dog 1, no error, idle'])
    expect(priorities).toEqual(['user', 'user'])
  })
})

describe('fallbackData', () => {
  test('sends no request if another component has loaded the data before the next animation frame', async () => {
    const service = createSearchService()
    const { client } = recordingClient(service)
    const both = (
      <>
        <Found term="dog" fallbackData={['from the server']} />
        <Found term="dog" />
      </>
    )
    renderOnClient(both, client)
    await settle(() => shown()[0] === 'dog 1, no error, idle')
    await pass(1_000)
    expect(shown()).toEqual(['dog 1, no error, idle', 'dog 1, no error, idle'])
    expect(service.requests).toHaveLength(1)
  })

  test('shows at once, and is revalidated in the background', async () => {
    const service = createSearchService()
    const { client, priorities } = recordingClient(service)
    renderOnClient(<Found term="dog" fallbackData={['from the server']} />, client)
    expect(shown()).toEqual(['from the server, no error, loading'])
    await pass(20)
    await settle(() => service.requests.length > 0)
    expect(shown()).toEqual(['dog 1, no error, idle'])
    expect(priorities).toEqual(['background'])
  })
})

describe('keepPreviousData', () => {
  test('shows the previous data until the data of another input arrive', async () => {
    const service = createSearchService()
    const { client } = recordingClient(service)
    const { rerender } = renderOnClient(<Found term="dog" keepPreviousData />, client)
    await settle(() => service.requests.length > 0)
    rerender(<Found term="cat" keepPreviousData />)
    expect(shown()).toEqual(['dog 1, no error, loading'])
    await settle()
    expect(shown()).toEqual(['cat 2, no error, idle'])
    service.failNext({ status: 500 })
    rerender(<Found term="rabbit" keepPreviousData />)
    await settle()
    expect(shown()).toEqual(['cat 2, server, idle'])
  })

  test('never shows the data of another client', async () => {
    const services = { first: createSearchService(), second: createSearchService() }
    const clients = { first: recordingClient(services.first).client, second: recordingClient(services.second).client }
    const rendered: unknown[] = []
    function Recorder({ under }: { under: 'first' | 'second' }) {
      const { data } = usePetstoreQuery(search, { term: under }, { keepPreviousData: true })
      rendered.push(`${under}: ${data?.join()}`)
      return null
    }
    const app = (under: 'first' | 'second') => (
      <PetstoreProvider client={clients[under]}>
        <Recorder under={under} />
      </PetstoreProvider>
    )
    const { rerender } = renderInCache(app('first'))
    await settle(() => rendered.includes('first: first 1'))
    rerender(app('second'))
    await settle(() => rendered.includes('second: second 1'))
    rerender(app('first'))
    expect(new Set(rendered)).toEqual(
      new Set(['first: undefined', 'first: first 1', 'second: undefined', 'second: second 1']),
    )
  })

  test('never shows the data of another operation', async () => {
    const numbers = defineOperation({ name: 'numbers', path: '/numbers', output: z.array(z.number()) })
    const service = createSearchService({
      operations: [
        { operation: search, handle: () => ({ body: ['dog'] }) },
        { operation: numbers, handle: () => ({ body: [7] }) },
      ],
    })
    const { client } = recordingClient(service)
    const rendered: unknown[] = []
    function Either({ which }: { which: 'search' | 'numbers' }) {
      const { data } = usePetstoreQuery<{ term: string } | undefined, unknown>(
        (which === 'search' ? search : numbers) as typeof numbers,
        which === 'search' ? { term: 'dog' } : undefined,
        { keepPreviousData: true },
      )
      rendered.push([which, data])
      return null
    }
    const { rerender } = renderOnClient(<Either which="search" />, client)
    await settle(() => service.requests.length > 0)
    rerender(<Either which="numbers" />)
    await settle()
    expect(rendered).toContainEqual(['search', ['dog']])
    expect(rendered).toContainEqual(['numbers', [7]])
    expect(rendered).not.toContainEqual(['numbers', ['dog']])
  })
})

test('closing the client ends the load without an error', async () => {
  const { client } = recordingClient({ fetch: () => new Promise(() => {}) })
  renderOnClient(<Found term="dog" />, client)
  await settle()
  expect(shown()).toEqual(['nothing, no error, loading'])
  client.close()
  await settle()
  expect(shown()).toEqual(['nothing, no error, idle'])
})

test('usePetstoreQuery throws for an operation that changes something, and sends nothing', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const service = createPetstoreService()
  const { client } = recordingClient(service)
  function Creating() {
    return <p>{usePetstoreQuery(operations.createCategory, { name: 'Dog' }).data?.id}</p>
  }
  expect(() => renderOnClient(<Creating />, client)).toThrow(
    'createCategory changes something, and queries are sent again automatically: use usePetstoreMutation.',
  )
  expect(service.requests).toHaveLength(0)
  logged.mockRestore()
})

test('two operations with one name and different paths never show the data of each other', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const other = defineOperation({ ...search, path: '/other' })
  const service = createSearchService()
  const { client } = recordingClient({
    fetch: async (request) =>
      request.url.includes('/other') ? Response.json(['of the other']) : service.fetch(request),
  })
  const Other = () => <p>{usePetstoreQuery(other, { term: 'dog' }).data}</p>
  renderOnClient(
    <>
      <Found term="dog" />
      <Other />
    </>,
    client,
  )
  await settle(() => service.requests.length > 0)
  expect(shown()).toEqual(['dog 1, no error, idle'])
  expect(screen.getByText('of the other')).toBeTruthy()
  expect(warn.mock.calls.flat().join()).toContain('Two operations are called "search"')
  warn.mockRestore()
})

test('if the options of a provider change during a load, its new client loads the data', async () => {
  const service = createSearchService()
  const { fetch, release } = holdRequests(createSearchService().fetch)
  // With one scope, the second client finds the unfinished load of the first one in the cache.
  const settings = { ...optionsFor({ fetch }), scope: 'replaced client' }
  const { rerender } = renderInCache(
    <PetstoreProvider {...settings}>
      <Found term="dog" />
    </PetstoreProvider>,
  )
  await settle()
  rerender(
    <PetstoreProvider {...settings} fetch={service.fetch} plan="pro">
      <Found term="dog" />
    </PetstoreProvider>,
  )
  await pass(1)
  release()
  await settle(() => service.requests.length > 0)
  expect(shown()).toEqual(['dog 1, no error, idle'])
})
