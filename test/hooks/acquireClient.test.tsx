import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { startTransition, Suspense, useState, version } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type PetstoreClient,
  type PetstoreClientOptions,
  PetstoreProvider,
  useCategories,
  usePetstoreClient,
} from '../../src/index.ts'
import * as petstore from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, OwnCache } from '../renderOnService.tsx'
import { holdResponses } from './holdResponses.ts'
import { renderSuspending, suspending } from './query.setup.tsx'
import { lastOf, settled } from './renderHookOnService.tsx'

const warned = vi.spyOn(console, 'warn')
beforeEach(() => {
  warned.mockReset().mockImplementation(() => {})
  // React logs what boundaries catch, and SWR's promises.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

type Package = typeof petstore
type Fetch = (request: Request) => Promise<Response>

const serviceOf = (name: string, ...keys: string[]) => createPetstoreService({ categories: [{ name }], keys })

function Names({ suspense = false }: { readonly suspense?: boolean }) {
  const { data, error } = useCategories({ suspense })
  return <p>{error ? error.kind : data ? data.map(({ name }) => name).join() : 'nothing yet'}</p>
}
const shown = () => screen.getByRole('paragraph').textContent

describe('scope', () => {
  const baseUrl = newAddress()

  test.each<[string, Partial<PetstoreClientOptions>, Partial<PetstoreClientOptions>]>([
    ['key', { scope: 'key' }, { apiKey: 'cat-key', scope: 'key' }],
    ['address', { scope: 'address' }, { baseUrl: newAddress(), scope: 'address' }],
    ['user', { apiKey: () => 'dog-key', scope: 'dogs' }, { apiKey: () => 'cat-key', scope: 'cats' }],
    ['key without a scope', {}, { apiKey: 'cat-key' }],
  ])('another %s never shows the old data; with a scope, switching back shows them at once', async (_, old, other) => {
    const dogs = serviceOf('Dog', 'dog-key')
    const cats = serviceOf('Cat', 'dog-key', 'cat-key')
    const fetch = (request: Request) => {
      const isOld = request.url.startsWith(baseUrl) && request.headers.get('Authorization') === 'Bearer dog-key'
      return (isOld ? dogs : cats).fetch(request)
    }
    const seen: string[] = []
    function Recorder({ under }: { readonly under: string }) {
      seen.push(`${under}: ${useCategories().data?.[0]?.name}`)
      return null
    }
    const page = (options: Partial<PetstoreClientOptions>, under: string) => (
      // SWR's `keepPreviousData` would show the rows of one key under the next.
      <OwnCache keepPreviousData>
        <PetstoreProvider baseUrl={baseUrl} apiKey="dog-key" fetch={fetch} {...options}>
          <Names />
          <Recorder under={under} />
        </PetstoreProvider>
      </OwnCache>
    )
    const { rerender } = render(page(old, 'old'))
    await waitFor(() => expect(shown()).toBe('Dog'))
    rerender(page(other, 'other'))
    expect(shown()).toBe('nothing yet')
    await waitFor(() => expect(shown()).toBe('Cat'))
    rerender(page(old, 'old'))
    expect(shown()).toBe(old.scope === undefined ? 'nothing yet' : 'Dog')
    await waitFor(() => expect(shown()).toBe('Dog'))
    expect(seen).not.toContain('other: Dog')
    expect(seen).not.toContain('old: Cat')
  })

  test('the scope that is generated for the second key of "team" differs from a given "team~1"', async () => {
    const scopes = new Map<string, string>()
    function Reader({ name }: { readonly name: string }) {
      scopes.set(name, usePetstoreClient().scope)
      return null
    }
    const part = (name: string, scope: string) => (
      <PetstoreProvider baseUrl={baseUrl} apiKey={name} scope={scope}>
        <Reader name={name} />
      </PetstoreProvider>
    )
    render(
      <>
        {part('first', 'team')}
        {part('second', 'team')}
        {part('third', 'team~1')}
        {part('fourth', 'team')}
      </>,
    )
    expect(scopes.get('first')).toBe('team')
    expect(new Set(scopes.values()).size).toBe(4)
  })
})

describe('clients of suspended providers', () => {
  /** Renders a provider inside the suspended tree, with new functions on each attempt. */
  async function renderLoop(copy: Package, response: Fetch) {
    const { PetstoreProvider: Provider, PetstoreErrorBoundary: Boundary, useCategories: useList } = copy
    const baseUrl = newAddress()
    const sent = { count: 0 }
    const fetch = (request: Request) => {
      sent.count += 1
      return response(request)
    }
    function List() {
      const { data } = useList({ suspense: true })
      return <p>{data.length}</p>
    }
    const App = () => (
      <Provider
        baseUrl={baseUrl}
        apiKey={() => 'demo'}
        fetch={(request) => fetch(request)}
        retry={{ attempts: 1 }}
        plan={{ limit: 1_000, per: 60_000 }} // so that the gate delays nothing
      >
        <List />
      </Provider>
    )
    await renderSuspending(
      <Boundary fallback={({ error }) => <p>{error.kind}</p>}>
        <Suspense fallback={<p>suspended</p>}>
          <App />
        </Suspense>
      </Boundary>,
    )
    return sent
  }

  test.each<[string, Fetch, number]>([
    ['succeed', createPetstoreService({ plan: 'business' }).fetch, 11],
    // The circuit breaker opens after the second failure in a row.
    ['fail', () => Promise.reject(new TypeError('Failed to fetch')), 2],
  ])('slows down an endless loop of requests that %s', async (_, fetch, count) => {
    const begin = performance.now()
    const sent = await renderLoop(petstore, fetch)
    await waitFor(() => expect(sent.count >= count || shown() !== 'suspended').toBe(true))
    await new Promise((resolve) => setTimeout(resolve, 50))
    // The n requests after the eleventh wait 500, 1,000, … ms, in sum 250 · n · (n + 1). A busy machine may send some.
    const late = Math.max(0, sent.count - 11)
    expect(250 * late * (late + 1)).toBeLessThanOrEqual(performance.now() - begin)
  })

  // React 19 mostly keeps the rendered part of a suspended tree, so the loop does not start.
  test.skipIf(!version.startsWith('18.'))('warns developers about the loop', async () => {
    vi.resetModules()
    const sent = await renderLoop(await import('../../src/index.ts'), createPetstoreService({ plan: 'business' }).fetch)
    await waitFor(() => expect(sent.count).toBeGreaterThanOrEqual(11))
    const advice = 'move the provider above the <Suspense>, or set a scope.'
    await waitFor(() => expect(warned).toHaveBeenCalledWith(expect.stringContaining(advice)))
  })

  test('when React renders a suspended provider again, its client calls the functions of the new render', async () => {
    const service = serviceOf('Dog', 'key-of-2')
    const baseUrl = newAddress()
    let wake = () => {}
    const loading = new Promise<void>((resolve) => {
      wake = resolve
    })
    let isLoaded = false
    function Late() {
      // A thrown promise suspends in React 18 and 19.
      // oxlint-disable-next-line no-throw-literal
      if (!isLoaded) throw loading
      return <Names suspense />
    }
    function App() {
      const key = isLoaded ? 'key-of-2' : 'key-of-1'
      return (
        <PetstoreProvider baseUrl={baseUrl} scope="any" apiKey={() => key} fetch={service.fetch}>
          <Late />
        </PetstoreProvider>
      )
    }
    await renderSuspending(
      <Suspense fallback="suspended">
        <App />
      </Suspense>,
    )
    await settled()
    isLoaded = true
    wake()
    await waitFor(() => expect(shown()).toBe('Dog'))
    expect(service.requests.map(({ key }) => key)).toEqual(['key-of-2'])
  })

  test('a key change in a suspending transition sends one request, also with inline functions', async () => {
    const services = { first: serviceOf('Dog', 'first'), second: serviceOf('Cat', 'second') }
    const { hold, fetch } = holdResponses(services.second)
    const baseUrl = newAddress()
    const change = lastOf<(key: string) => void>()
    function App() {
      const [apiKey, setKey] = useState('first')
      change.set(setKey)
      return (
        <PetstoreProvider
          baseUrl={baseUrl}
          apiKey={apiKey}
          fetch={(request) => (apiKey === 'first' ? services.first.fetch(request) : fetch(request))}
          onEvent={() => {}}
        >
          <Suspense fallback={<p>suspended</p>}>
            <Names suspense />
          </Suspense>
        </PetstoreProvider>
      )
    }
    await renderSuspending(<App />)
    await waitFor(() => expect(shown()).toBe('Dog'))
    const response = hold('GET')
    await suspending(() => startTransition(() => change.get()('second')))
    await response.arrived
    expect(shown()).toBe('Dog') // a transition keeps the old rows until the new ones are ready
    response.letGo()
    await waitFor(() => expect(shown()).toBe('Cat'))
    await settled()
    expect(shown()).toBe('Cat')
    expect(services.second.requests).toHaveLength(1)
  })
})

test.each([false, true])('20 providers with inline functions are no Suspense loop (suspense: %s)', async (suspense) => {
  const twenty = Array.from({ length: 20 }, (_, index) => index) // eleven that never mount look like a loop
  const service = createPetstoreService({ plan: 'business', categories: [{ name: 'Dog' }] })
  const baseUrl = newAddress()
  const Widget = () => (
    <PetstoreProvider baseUrl={baseUrl} apiKey={() => 'demo'} fetch={(request) => service.fetch(request)}>
      <Suspense fallback={<p>suspended</p>}>
        <Names suspense={suspense} />
      </Suspense>
    </PetstoreProvider>
  )
  await renderSuspending(
    <>
      {twenty.map((index) => (
        <Widget key={index} />
      ))}
    </>,
  )
  const texts = () => screen.getAllByRole('paragraph').map(({ textContent }) => textContent)
  await waitFor(() => expect(texts()).toEqual(twenty.map(() => 'Dog')))
  expect(service.requests).toHaveLength(20)
})

describe('providers', () => {
  const clients = new Set<PetstoreClient>()
  beforeEach(() => clients.clear())
  function Reader() {
    clients.add(usePetstoreClient())
    return null
  }

  test('that differ in any option do not share a client', () => {
    const baseUrl = newAddress()
    const options: Partial<PetstoreClientOptions>[] = [
      {},
      { apiKey: 'demo' },
      { apiKey: () => 'demo' },
      { apiKey: () => 'demo' }, // another function may return the key of another user
      { timeout: 1_000 },
      { retry: { attempts: 1 } },
      { plan: 'pro' },
      { scope: 'one client' },
      { quickstartBaseUrl: baseUrl },
      { fetch: async () => new Response() },
      { onEvent: () => {} },
    ]
    render(
      <>
        {options.map((option, index) => (
          <PetstoreProvider key={index} baseUrl={baseUrl} {...option}>
            <Reader />
          </PetstoreProvider>
        ))}
      </>,
    )
    expect(clients.size).toBe(options.length)
  })

  test('that mount later do not share a client with a mounted one, even with the same functions', async () => {
    const service = createPetstoreService({ keys: ['first', 'second'] })
    const baseUrl = newAddress()
    const getKeys = { first: () => 'first', second: () => 'second' }
    const page = (key: 'first' | 'second', isLaterShown: boolean) => (
      <>
        <PetstoreProvider baseUrl={baseUrl} apiKey={getKeys[key]} fetch={service.fetch}>
          <Reader />
        </PetstoreProvider>
        {isLaterShown && (
          <PetstoreProvider baseUrl={baseUrl} apiKey={getKeys.first} fetch={service.fetch}>
            <Reader />
          </PetstoreProvider>
        )}
      </>
    )
    const { rerender } = render(page('first', false))
    rerender(page('first', true))
    rerender(page('second', true))
    const [earlier, later] = clients
    await earlier?.listCategories()
    await later?.listCategories()
    expect(service.requests.map(({ key }) => key)).toEqual(['second', 'first'])
  })

  test('keep the client if one mounts while another one with equal options unmounts', async () => {
    const baseUrl = newAddress()
    const page = (name: string) => (
      <PetstoreProvider key={name} baseUrl={baseUrl} apiKey="demo">
        <Reader />
      </PetstoreProvider>
    )
    const { rerender } = render(page('first'))
    rerender(page('second'))
    await settled()
    rerender(page('third'))
    expect(clients.size).toBe(1)
  })
})

test('switching the key and back at once does not abort the requests of the first key', async () => {
  const service = serviceOf('Dog', 'first')
  const { hold, fetch } = holdResponses(service)
  vi.stubGlobal('fetch', fetch)
  const baseUrl = newAddress()
  const page = (apiKey: string) => (
    <OwnCache>
      <PetstoreProvider baseUrl={baseUrl} apiKey={apiKey}>
        <Names />
      </PetstoreProvider>
    </OwnCache>
  )
  const response = hold('GET')
  const { rerender } = render(page('first'))
  await response.arrived
  act(() => rerender(page('second')))
  act(() => rerender(page('first')))
  await settled()
  expect(response.isAborted()).toBe(false)
  response.letGo()
  await waitFor(() => expect(shown()).toBe('Dog'))
})
