import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect, useLayoutEffect, useState } from 'react'
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
import { newAddress, noResponse, OwnCache } from '../renderOnService.tsx'
import { lastOf, settled } from './renderHookOnService.tsx'

// jsdom has no IndexedDB.
vi.mock('../../src/rate-limit/stores/recordDatabase.ts', () => {
  const records = new Map<string, unknown>()
  const update = async (name: string, change: (stored: unknown) => unknown) => {
    const changed = change(records.get(name))
    if (changed === records.get(name)) return undefined
    records.set(name, changed)
    return changed
  }
  return { createRecordDatabase: () => ({ update, deleteWhere: async () => {} }) }
})

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

/** A `fetch` that responds after `release`, or never. */
function held(fetch: (request: Request) => Promise<Response> = noResponse) {
  const signals: AbortSignal[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    signals,
    release,
    fetch: async (request: Request) => {
      signals.push(request.signal)
      await Promise.race([released, noResponse(request)])
      return fetch(request)
    },
  }
}

test.each<[string, (cats: ReturnType<typeof serviceOf>) => Partial<PetstoreProviderProps>]>([
  ['apiKey', () => ({ apiKey: 'second' })],
  ['baseUrl', ({ baseUrl }) => ({ baseUrl })],
  ['client', ({ baseUrl, fetch }) => ({ client: createPetstoreClient({ baseUrl, apiKey: 'second', fetch }) })],
])('a new %s aborts the requests in progress, as unmounting does', async (_, changesOf) => {
  const dogs = serviceOf('Dog', 'first', 'second')
  const cats = serviceOf('Cat', 'first', 'second')
  const { signals, fetch } = held(dogs.fetch)
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
  const { signals, release, fetch } = held(serviceOf('Dog', 'demo').fetch)
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
  const { signals, release, fetch } = held(service.fetch)
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
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(signals.some(({ aborted }) => aborted)).toBe(false)
  release()
  await expect(own).resolves.toMatchObject([{ name: 'Dog' }])
})

test('a change from options to a client and back keeps the children and their state', async () => {
  const dogs = serviceOf('Dog', 'demo')
  const cats = serviceOf('Cat', 'demo')
  const birds = serviceOf('Bird', 'demo')
  const clientOf = ({ baseUrl, fetch }: typeof dogs) => createPetstoreClient({ baseUrl, apiKey: 'demo', fetch })
  const clients = { cats: clientOf(cats), birds: clientOf(birds) }
  const mounted = vi.fn<() => void>()
  function Child() {
    const [count, setCount] = useState(0)
    useEffect(mounted, [])
    return (
      <button type="button" aria-label="count" onClick={() => setCount(count + 1)}>
        {count}
      </button>
    )
  }
  const app = (given?: PetstoreClient) => (
    <OwnCache>
      <PetstoreProvider {...(given ? { client: given } : { ...dogs, apiKey: 'demo' })}>
        <Names />
        <Child />
      </PetstoreProvider>
    </OwnCache>
  )
  const { rerender } = render(app())
  await screen.findByText('Dog')
  await userEvent.click(screen.getByLabelText('count'))
  const mounts = mounted.mock.calls.length // StrictMode mounts twice
  for (const [name, given] of [
    ['Cat', clients.cats],
    ['Bird', clients.birds],
    ['Dog', undefined],
    ['Cat', clients.cats],
  ] as const) {
    rerender(app(given))
    await screen.findByText(name)
  }
  expect(screen.getByLabelText('count').textContent).toBe('1')
  expect(mounted).toHaveBeenCalledTimes(mounts)
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

test('options that become invalid throw in the same render', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const service = serviceOf('Dog', 'demo')
  const app = (timeout: number) => (
    <PetstoreProvider baseUrl={service.baseUrl} apiKey="demo" fetch={service.fetch} timeout={timeout}>
      <Names />
    </PetstoreProvider>
  )
  const { rerender } = render(app(1_000))
  await screen.findByText('Dog')
  expect(() => rerender(app(-1))).toThrow('timeout is a number of milliseconds above 0')
  logged.mockRestore()
})

test('unmounting closes the channels to other tabs', async () => {
  const open = new Set<object>()
  vi.stubGlobal('indexedDB', {}) // the mock above replaces it
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        open.add(this)
      }
      postMessage() {}
      close() {
        open.delete(this)
      }
    },
  )
  const service = serviceOf('Dog', 'demo')
  function Status() {
    return <p>{useRateLimit().status}</p>
  }
  const { unmount } = render(
    <OwnCache>
      <PetstoreProvider baseUrl={service.baseUrl} apiKey="demo" fetch={service.fetch}>
        <Names />
        <Status />
      </PetstoreProvider>
    </OwnCache>,
  )
  await screen.findByText('ok')
  // One of the gate, one for responses.
  await waitFor(() => expect(open.size).toBe(2))
  unmount()
  await waitFor(() => expect(open.size).toBe(0))
})
