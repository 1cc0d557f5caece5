import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as React from 'react'
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

test.each(['apiKey', 'baseUrl'] as const)('a new %s never shows the old data', async (changed) => {
  const dogs = serviceOf('Dog', 'first')
  const cats = serviceOf('Cat', 'first', 'second')
  const catsHeld = held(cats.fetch)
  const addresses = { old: 'https://old.test/v1', new: 'https://new.test/v1' }
  const fetch = (request: Request) =>
    request.headers.get('Authorization') === 'Bearer second' || request.url.startsWith(addresses.new)
      ? catsHeld.fetch(request)
      : dogs.fetch(request)

  const rendered: string[] = []
  function Recorder({ under }: { under: string }) {
    rendered.push(`${under}: ${useCategories().data?.[0]?.name}`)
    return null
  }
  const app = (which: 'old' | 'new') => (
    // SWR's `keepPreviousData` would show the rows of one key under the next.
    <OwnCache keepPreviousData>
      <PetstoreProvider
        baseUrl={changed === 'baseUrl' ? addresses[which] : addresses.old}
        apiKey={changed === 'apiKey' && which === 'new' ? 'second' : 'first'}
        fetch={fetch}
      >
        <Recorder under={which} />
        <Names />
      </PetstoreProvider>
    </OwnCache>
  )
  const { rerender } = render(app('old'))
  await screen.findByText('Dog')
  rerender(app('new'))
  expect(screen.getByText('nothing yet')).toBeDefined()
  catsHeld.release()
  expect(await screen.findByText('Cat')).toBeDefined()
  rerender(app('old'))
  expect(screen.queryByText('Cat')).toBeNull()
  expect(await screen.findByText('Dog')).toBeDefined()
  expect(rendered).not.toContain('new: Dog')
  expect(rendered).not.toContain('old: Cat')
})

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

test.each(['a new apiKey', 'unmounting'])('after %s nothing more leaves with the old key', async (change) => {
  const cats = serviceOf('Cat', 'second')
  const { signals, release, fetch } = held(serviceOf('Dog', 'first').fetch)
  const create = lastOf<() => Promise<unknown>>()
  function Creator() {
    const client = usePetstoreClient()
    create.set(() => client.createCategory({ name: 'Fox' }))
    return null
  }
  const baseUrl = newAddress()
  const app = (old: boolean) => (
    <OwnCache>
      <PetstoreProvider
        baseUrl={baseUrl}
        apiKey={old ? 'first' : 'second'}
        fetch={(request) =>
          request.headers.get('Authorization') === 'Bearer first' ? fetch(request) : cats.fetch(request)
        }
      >
        <Names />
        <Creator />
      </PetstoreProvider>
    </OwnCache>
  )
  const { rerender, unmount } = render(app(true))
  // One call has left, the other waits for its response.
  const waiting = create
    .get()()
    .catch((error: unknown) => error)
  await waitFor(() => expect(signals).toHaveLength(1))
  if (change === 'unmounting') unmount()
  else rerender(app(false))
  await settled()
  release()
  await settled()
  expect(signals).toHaveLength(1)
  expect(await waiting).toMatchObject({ name: 'AbortError' })
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

test('a provider that mounts later with another store has a client of its own', async () => {
  vi.stubGlobal('fetch', serviceOf('Dog', 'demo').fetch)
  const baseUrl = newAddress()
  const stores = [createMemoryStore(), createMemoryStore()]
  const clients = new Map<number, PetstoreClient>()
  function Reader({ index }: { readonly index: number }) {
    clients.set(index, usePetstoreClient())
    return null
  }
  const app = (count: number) =>
    stores.slice(0, count).map((rateLimitStore, index) => (
      // The order never changes.
      // oxlint-disable-next-line react/no-array-index-key
      <PetstoreProvider key={index} baseUrl={baseUrl} apiKey="demo" rateLimitStore={rateLimitStore}>
        <Reader index={index} />
      </PetstoreProvider>
    ))
  const { rerender } = render(app(1))
  const first = clients.get(0)
  rerender(app(2))
  expect(clients.get(0)).toBe(first)
  expect(clients.get(1)).not.toBe(first)
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

// React 18 has no Activity.
test.skipIf(!('Activity' in React))('a hidden part loads again after it is shown again', async () => {
  const service = serviceOf('Dog', 'demo')
  const { signals, release, fetch } = held(service.fetch)
  const app = (mode: 'visible' | 'hidden', respondWith: boolean) => (
    <OwnCache>
      <React.Activity mode={mode}>
        <PetstoreProvider baseUrl={service.baseUrl} apiKey="demo" fetch={respondWith ? service.fetch : fetch}>
          <Names />
        </PetstoreProvider>
      </React.Activity>
    </OwnCache>
  )
  const { rerender } = render(app('visible', false))
  await waitFor(() => expect(signals).toHaveLength(1))
  rerender(app('hidden', false))
  await settled()
  release()
  await waitFor(() => expect(signals[0]?.aborted).toBe(true))
  rerender(app('visible', true))
  expect(await screen.findByText('Dog')).toBeDefined()
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
