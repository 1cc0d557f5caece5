import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useLayoutEffect, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import {
  createPetstoreClient,
  type PetstoreClient,
  PetstoreProvider,
  type PetstoreProviderProps,
  useCategories,
  usePetstoreClient,
  useRateLimit,
} from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, OwnCache } from '../renderOnService.tsx'
import { holdRequests } from './query.setup.tsx'
import { lastOf, settled } from './renderHookOnService.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const serviceOf = (name: string, ...keys: string[]) => ({
  ...createPetstoreService({ categories: [{ name }], keys }),
  baseUrl: newAddress(),
})

function Names() {
  const { data, error, refresh } = useCategories()
  return (
    <button type="button" onClick={() => void refresh()}>
      {error ? error.kind : data ? data.map(({ name }) => name).join() : 'nothing yet'}
    </button>
  )
}

/** A `fetch` that responds after `release`, and records the signals of its requests. */
function recordSignals(fetch: (request: Request) => Promise<Response>) {
  const signals: AbortSignal[] = []
  const { release, fetch: send } = holdRequests(fetch)
  const record = (request: Request) => {
    signals.push(request.signal)
    return send(request)
  }
  return { signals, release, fetch: record }
}

test.each<[string, (cats: ReturnType<typeof serviceOf>) => Partial<PetstoreProviderProps>]>([
  ['apiKey', () => ({ apiKey: 'second' })],
  ['baseUrl', ({ baseUrl }) => ({ baseUrl })],
  ['client', ({ baseUrl, fetch }) => ({ client: createPetstoreClient({ baseUrl, apiKey: 'second', fetch }) })],
])('a new %s aborts the requests in progress, as unmounting does', async (_, changesOf) => {
  const dogs = serviceOf('Dog', 'first', 'second')
  const cats = serviceOf('Cat', 'first', 'second')
  const { signals, fetch } = recordSignals(dogs.fetch)
  const app = (given: Partial<PetstoreProviderProps>) => (
    <OwnCache>
      <PetstoreProvider baseUrl={dogs.baseUrl} apiKey="first" {...given}>
        <Names />
      </PetstoreProvider>
    </OwnCache>
  )
  const first = render(app({ fetch }))
  await waitFor(() => expect(signals).toHaveLength(1))
  first.rerender(app({ fetch: cats.fetch, ...changesOf(cats) }))
  expect(await screen.findByText('Cat')).toBeDefined()
  await waitFor(() => expect(signals[0]?.aborted).toBe(true))
  first.unmount()

  // Without `client`: a provider does not close that of the app.
  const second = render(app({ fetch, ...changesOf(dogs), client: undefined }))
  await waitFor(() => expect(signals).toHaveLength(2))
  expect(signals[1]?.aborted).toBe(false)
  second.unmount()
  await waitFor(() => expect(signals[1]?.aborted).toBe(true))
})

test('new inline functions on every render send no request, and the latest ones are used', async () => {
  const service = serviceOf('Dog', 'key-0', 'key-5')
  const responses: number[] = []
  const app = (turn: number) => (
    <OwnCache>
      <PetstoreProvider
        baseUrl={service.baseUrl}
        apiKey={() => `key-${turn}`}
        fetch={(request) => service.fetch(request)}
        onEvent={({ type }) => {
          if (type === 'response') responses.push(turn)
        }}
      >
        <Names />
      </PetstoreProvider>
    </OwnCache>
  )
  const { rerender } = render(app(0))
  await screen.findByText('Dog')
  for (const turn of [1, 2, 3, 4, 5]) rerender(app(turn))
  expect(screen.getByText('Dog')).toBeDefined()
  expect(service.requests).toHaveLength(1)

  await userEvent.click(screen.getByRole('button'))
  await waitFor(() => expect(service.requests).toHaveLength(2))
  expect(service.requests.map(({ key }) => key)).toEqual(['key-0', 'key-5'])
  await waitFor(() => expect(responses).toEqual([0, 5]))
})

test('an inline rateLimitStore keeps the client, sends no request and warns once', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const service = serviceOf('Dog', 'demo')
  const clients = new Set<PetstoreClient>()
  function Reader() {
    clients.add(usePetstoreClient())
    return <p>{useRateLimit().status}</p>
  }
  function App() {
    return (
      <PetstoreProvider
        baseUrl={service.baseUrl}
        apiKey="demo"
        fetch={service.fetch}
        rateLimitStore={createMemoryStore()}
      >
        <Names />
        <Reader />
      </PetstoreProvider>
    )
  }
  const app = () => (
    <OwnCache>
      <App />
    </OwnCache>
  )
  const { rerender } = render(app())
  await screen.findByText('Dog')
  for (let turn = 0; turn < 5; turn += 1) {
    rerender(app())
    expect(screen.getByText('Dog')).toBeDefined()
  }
  expect(screen.getByText('ok')).toBeDefined()
  expect(clients.size).toBe(1)
  expect(service.requests).toHaveLength(1)
  expect(warned.mock.calls.map(String)).toEqual([expect.stringContaining('Create the store once')])
  warned.mockRestore()
})

test('unmounting one of two providers with equal options does not end the calls of the other', async () => {
  const { signals, release, fetch } = recordSignals(serviceOf('Dog', 'demo').fetch)
  vi.stubGlobal('fetch', fetch)
  const provider = (
    <PetstoreProvider baseUrl={newAddress()} apiKey="demo">
      <Names />
    </PetstoreProvider>
  )
  const app = (both: boolean) => (
    <OwnCache>
      {provider}
      {both && provider}
    </OwnCache>
  )
  const { rerender } = render(app(true))
  await waitFor(() => expect(signals).toHaveLength(1)) // they share a client, and therefore one request
  rerender(app(false))
  await settled()
  release()
  expect(await screen.findByText('Dog')).toBeDefined()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test("the app's own client is used, and not closed when the provider unmounts", async () => {
  const service = serviceOf('Dog', 'demo')
  const { signals, release, fetch } = recordSignals(service.fetch)
  const client = createPetstoreClient({ baseUrl: service.baseUrl, apiKey: 'demo', fetch })
  const { unmount } = render(
    <OwnCache>
      <PetstoreProvider client={client}>
        <Names />
      </PetstoreProvider>
    </OwnCache>,
  )
  await waitFor(() => expect(signals).toHaveLength(1))
  const own = client.listCategories()
  unmount()
  await settled()
  expect(signals.some(({ aborted }) => aborted)).toBe(false)
  release()
  await expect(own).resolves.toMatchObject([{ name: 'Dog' }])
})

test('effects of the children use the functions of the same render, not of an earlier one', async () => {
  const service = serviceOf('Dog', 'key-0', 'key-1')
  const setTurn = lastOf<(turn: number) => void>()
  function Caller({ turn }: { turn: number }) {
    const client = usePetstoreClient()
    // The earliest effect in which a component may call.
    useLayoutEffect(() => {
      if (turn === 1) void client.listCategories()
    }, [client, turn])
    return null
  }
  function App() {
    const [turn, set] = useState(0)
    setTurn.set(set)
    return (
      <PetstoreProvider baseUrl={service.baseUrl} fetch={service.fetch} apiKey={() => `key-${turn}`}>
        <Caller turn={turn} />
      </PetstoreProvider>
    )
  }
  render(<App />)
  // Outside of `act`, so that effects run some time after the render, as on a page.
  setTimeout(() => setTurn.get()(1))
  await waitFor(() => expect(service.requests).toHaveLength(1))
  expect(service.requests.map(({ key }) => key)).toEqual(['key-1'])
})
