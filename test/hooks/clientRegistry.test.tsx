import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { Component, type ReactNode, startTransition, StrictMode, Suspense, useState, version } from 'react'
import { SWRConfig } from 'swr'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
  PetstoreProvider,
  prefetchCategories,
  useCategories,
  usePetstoreClient,
} from '../../src/index.ts'
import * as petstore from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { newAddress, OwnCache } from '../renderOnService.tsx'
import { holdResponses } from './holdResponses.ts'
import { renderSuspending, suspending } from './query.setup.tsx'
import { lastOf, settled } from './renderHookOnService.tsx'

const warned = vi.spyOn(console, 'warn')
beforeEach(() => {
  warned.mockReset().mockImplementation(() => {})
  // React tells of what boundaries catch, and of the promises of SWR.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

type Package = typeof petstore
type Fetch = (request: Request) => Promise<Response>

const serviceOf = (name: string, ...keys: string[]) => createPetstoreService({ categories: [{ name }], keys })

/** One address whose responses depend on the key, as they do for real. */
function byKey(services: Readonly<Record<string, PetstoreService>>) {
  return async (request: Request): Promise<Response> => {
    const key = request.headers.get('Authorization')?.slice('Bearer '.length) ?? ''
    const service = services[key]
    return service ? service.fetch(request) : new Response(null, { status: 401 })
  }
}

function Names({ suspense = false }: { readonly suspense?: boolean }) {
  const { data, error } = useCategories({ suspense })
  return <p>{error ? error.kind : data ? data.map(({ name }) => name).join() : 'nothing yet'}</p>
}
const shown = () => screen.getByRole('paragraph').textContent

describe('cacheScope', () => {
  const baseUrl = newAddress()
  const dogs = serviceOf('Dog', 'dog-key')
  const cats = serviceOf('Cat', 'cat-key')
  const fetch = byKey({ 'dog-key': dogs, 'cat-key': cats })
  beforeEach(() => {
    dogs.reset()
    cats.reset()
  })
  const app = (options: Partial<PetstoreClientOptions>) => (
    <PetstoreProvider baseUrl={baseUrl} fetch={fetch} {...options}>
      <Names />
    </PetstoreProvider>
  )

  test('data prepared on a server for a scope are shown at once', async () => {
    const prepared = { baseUrl, apiKey: 'dog-key', cacheScope: 'prepared' }
    const fallback = await prefetchCategories(createPetstoreClient({ ...prepared, fetch }))
    const { container } = render(<OwnCache fallback={fallback}>{app(prepared)}</OwnCache>)
    expect(container.textContent).toBe('Dog')
    await waitFor(() => expect(dogs.requests).toHaveLength(2))
  })

  test('nothing of it is shown under another scope', async () => {
    const prepared = { baseUrl, apiKey: 'dog-key', cacheScope: 'scope A' }
    const fallback = await prefetchCategories(createPetstoreClient({ ...prepared, fetch }))
    render(<OwnCache fallback={fallback}>{app({ ...prepared, cacheScope: 'scope B' })}</OwnCache>)
    expect(shown()).toBe('nothing yet')
    await waitFor(() => expect(shown()).toBe('Dog'))
  })

  test.each(['apiKey', 'baseUrl'] as const)(
    'the same scope with another %s never shows the old data; going back does, at once',
    async (changed) => {
      const scope = `same scope, other ${changed}`
      const old = { baseUrl, apiKey: 'dog-key', cacheScope: scope }
      const other = { ...old, [changed]: changed === 'apiKey' ? 'cat-key' : newAddress() }
      const seen: string[] = []
      function Recorder({ under }: { readonly under: string }) {
        seen.push(`${under}: ${useCategories().data?.[0]?.name}`)
        return null
      }
      const page = (options: typeof old, under: string) => (
        <OwnCache keepPreviousData>
          <PetstoreProvider fetch={changed === 'apiKey' ? fetch : addressed} {...options}>
            <Names />
            <Recorder under={under} />
          </PetstoreProvider>
        </OwnCache>
      )
      const addressed = (request: Request) =>
        request.url.startsWith(baseUrl) ? dogs.fetch(request) : serviceOf('Cat', 'dog-key').fetch(request)
      const { rerender } = render(page(old, 'old'))
      await waitFor(() => expect(shown()).toBe('Dog'))
      rerender(page(other, 'other'))
      expect(shown()).toBe('nothing yet')
      await waitFor(() => expect(shown()).toBe('Cat'))
      rerender(page(old, 'old'))
      expect(shown()).toBe('Dog')
      rerender(page(other, 'other'))
      expect(shown()).toBe('Cat')
      expect(seen).not.toContain('other: Dog')
      expect(seen).not.toContain('old: Cat')
    },
  )

  test('a getter whose key changes user, together with the scope: nobody sees what is not theirs', async () => {
    const seen: string[] = []
    function Recorder({ user }: { readonly user: string }) {
      seen.push(`${user}: ${useCategories().data?.[0]?.name}`)
      return null
    }
    const page = (user: 'dog' | 'cat') => (
      <OwnCache>
        <PetstoreProvider baseUrl={baseUrl} fetch={fetch} apiKey={() => `${user}-key`} cacheScope={`user ${user}`}>
          <Names />
          <Recorder user={user} />
        </PetstoreProvider>
      </OwnCache>
    )
    const { rerender } = render(page('dog'))
    await waitFor(() => expect(shown()).toBe('Dog'))
    rerender(page('cat'))
    expect(shown()).toBe('nothing yet')
    await waitFor(() => expect(shown()).toBe('Cat'))
    rerender(page('dog'))
    expect(shown()).toBe('Dog')
    await settled()
    expect(shown()).toBe('Dog')
    expect(seen).not.toContain('cat: Dog')
    expect(seen).not.toContain('dog: Cat')
    expect(new Set(dogs.requests.map(({ key }) => key))).toEqual(new Set(['dog-key']))
    expect(new Set(cats.requests.map(({ key }) => key))).toEqual(new Set(['cat-key']))
  })

  test('a scope that looks like the second of another one is kept apart from it', async () => {
    const scopes = new Map<string, string>()
    function Reader({ name }: { readonly name: string }) {
      scopes.set(name, usePetstoreClient().cacheScope)
      return null
    }
    const part = (name: string, cacheScope: string) => (
      <PetstoreProvider baseUrl={baseUrl} apiKey={name} cacheScope={cacheScope}>
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

  test('without one, nobody meets the data of anybody, not even on going back', async () => {
    const page = (apiKey: string) => <OwnCache>{app({ apiKey })}</OwnCache>
    const { rerender } = render(page('dog-key'))
    await waitFor(() => expect(shown()).toBe('Dog'))
    rerender(page('cat-key'))
    await waitFor(() => expect(shown()).toBe('Cat'))
    rerender(page('dog-key'))
    expect(shown()).toBe('nothing yet')
    await waitFor(() => expect(shown()).toBe('Dog'))
  })
})

/** Shows what was thrown below it. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly message: string | undefined }> {
  override readonly state = { message: undefined }
  static getDerivedStateFromError(error: unknown) {
    return { message: String(error) }
  }
  override render(): ReactNode {
    return this.state.message === undefined ? this.props.children : <p>{this.state.message}</p>
  }
}

describe('clients of suspended providers', () => {
  /** A page on which all is new at each try: the provider, its functions, and so the request. */
  async function renderLoop({ PetstoreProvider: Provider, useCategories: useList }: Package, response: Fetch) {
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
        plan={{ limit: 1_000, per: 60_000 }}
      >
        <List />
      </Provider>
    )
    await renderSuspending(
      <Boundary>
        <Suspense fallback={<p>suspended</p>}>
          <App />
        </Suspense>
      </Boundary>,
    )
    return sent
  }

  test.each<[string, Fetch]>([
    ['succeeded', createPetstoreService({ plan: 'business' }).fetch],
    ['not responded to', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('an endless loop of requests that are %s is slowed down', async (_, fetch) => {
    const begin = performance.now()
    const sent = await renderLoop(petstore, fetch)
    await waitFor(() => expect(sent.count >= 11 || shown() !== 'suspended').toBe(true))
    await new Promise((resolve) => setTimeout(resolve, 50))
    // Those past the eleventh waited 500, 1,000, 1,500 ms, …: a busy machine may have come to them meanwhile.
    const late = Math.max(0, sent.count - 11)
    expect(250 * late * (late + 1)).toBeLessThanOrEqual(performance.now() - begin)
  })

  // React 19 keeps what it has rendered of a suspended tree in most cases, and so does not even begin the loop.
  test.skipIf(!version.startsWith('18.'))('and developers are told what to do', async () => {
    vi.resetModules()
    const sent = await renderLoop(await import('../../src/index.ts'), createPetstoreService({ plan: 'business' }).fetch)
    await waitFor(() => expect(sent.count).toBeGreaterThanOrEqual(11))
    const advice = 'move the provider above the <Suspense>, or set a cacheScope.'
    await waitFor(() => expect(warned).toHaveBeenCalledWith(expect.stringContaining(advice)))
  })

  test.each<[string, Partial<PetstoreClientOptions>]>([
    ['a key that is text', { apiKey: 'demo' }],
    ['inline functions and a cacheScope', { apiKey: () => 'demo', cacheScope: 'suspended' }],
  ])('with %s they find their client again: one request', async (_, options) => {
    const service = serviceOf('Dog', 'demo')
    vi.stubGlobal('fetch', service.fetch)
    const baseUrl = newAddress()
    const App = () => (
      <PetstoreProvider
        {...options}
        baseUrl={baseUrl}
        {...(options.cacheScope && { apiKey: () => 'demo', fetch: (request) => service.fetch(request) })}
      >
        <Names suspense />
      </PetstoreProvider>
    )
    await renderSuspending(
      <Suspense fallback="suspended">
        <App />
      </Suspense>,
    )
    await waitFor(() => expect(shown()).toBe('Dog'))
    await settled()
    expect(service.requests).toHaveLength(1)
  })

  test('a client that is found again calls the functions of the newest try', async () => {
    const service = serviceOf('Dog', 'key-of-2')
    const baseUrl = newAddress()
    let wake = () => {}
    const loading = new Promise<void>((resolve) => {
      wake = resolve
    })
    let isLoaded = false
    function Late() {
      // How React 18 suspends; React 19 takes it too.
      // oxlint-disable-next-line no-throw-literal
      if (!isLoaded) throw loading
      return <Names suspense />
    }
    function App() {
      const key = isLoaded ? 'key-of-2' : 'key-of-1'
      return (
        <PetstoreProvider baseUrl={baseUrl} cacheScope="newest try" apiKey={() => key} fetch={service.fetch}>
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

  test('a change of key in a transition that suspends asks once, whatever the functions', async () => {
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
    await renderSuspending(
      <Boundary>
        <App />
      </Boundary>,
    )
    await waitFor(() => expect(shown()).toBe('Dog'))
    const response = hold('GET')
    await suspending(() => startTransition(() => change.get()('second')))
    await response.isHeld
    expect(shown()).toBe('Dog') // as transitions do: what was there stays until the next is ready
    response.letGo()
    await waitFor(() => expect(shown()).toBe('Cat'))
    await settled()
    expect(shown()).toBe('Cat')
    expect(services.second.requests).toHaveLength(1)
  })
})

describe('no false alarm', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => index)

  test.each([false, true])('20 providers side by side with inline functions (suspense: %s)', async (suspense) => {
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

  test('20 providers that come into being so slowly that the first are responded to before the last are there', async () => {
    const service = createPetstoreService({ plan: 'business', categories: [{ name: 'Dog' }] })
    const baseUrl = newAddress()
    const slow = () => {
      const until = performance.now() + 6 // longer than React renders in one go
      while (performance.now() < until);
    }
    function Widget() {
      slow()
      return (
        <PetstoreProvider baseUrl={baseUrl} apiKey={() => 'demo'} fetch={(request) => service.fetch(request)}>
          <Suspense fallback={<p>suspended</p>}>
            <Names suspense />
          </Suspense>
        </PetstoreProvider>
      )
    }
    const show = lastOf<(isShown: boolean) => void>()
    function App() {
      const [isShown, setShown] = useState(false)
      show.set(setShown)
      return isShown ? twenty.map((index) => <Widget key={index} />) : null
    }
    render(
      <SWRConfig value={{ provider: () => new Map() }}>
        <App />
      </SWRConfig>,
    )
    startTransition(() => show.get()(true))
    await waitFor(
      () =>
        expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual(twenty.map(() => 'Dog')),
      { timeout: 2_000 },
    )
  })

  test('people who leave again and again before the response is there', async () => {
    const service = serviceOf('Dog', 'demo')
    const { hold, fetch } = holdResponses(service)
    const baseUrl = newAddress()
    const page = (isOpen: boolean) => (
      <div>
        {isOpen && (
          <Suspense fallback={<p>suspended</p>}>
            <PetstoreProvider baseUrl={baseUrl} apiKey={() => 'demo'} fetch={(request) => fetch(request)}>
              <Names suspense />
            </PetstoreProvider>
          </Suspense>
        )}
      </div>
    )
    const { rerender } = await renderSuspending(page(false))
    for (let visit = 0; visit < 10; visit += 1) {
      const response = hold('GET')
      await suspending(() => rerender(page(true)))
      await response.isHeld
      rerender(page(false))
      response.letGo()
      await settled()
    }
    await suspending(() => rerender(page(true)))
    await waitFor(() => expect(shown()).toBe('Dog'))
  })
})

describe('one client', () => {
  const clients = new Set<PetstoreClient>()
  beforeEach(() => clients.clear())
  function Reader() {
    clients.add(usePetstoreClient())
    return null
  }

  test('for providers with equal plain options', () => {
    const baseUrl = newAddress()
    render(
      <StrictMode>
        <PetstoreProvider baseUrl={baseUrl} apiKey="demo" timeout={1_000}>
          <Reader />
        </PetstoreProvider>
        <PetstoreProvider baseUrl={baseUrl} apiKey="demo" timeout={1_000} plan={undefined}>
          <Reader />
        </PetstoreProvider>
      </StrictMode>,
    )
    expect(clients.size).toBe(1)
  })

  test('none for providers whose options differ in anything', () => {
    const baseUrl = newAddress()
    const options: Partial<PetstoreClientOptions>[] = [
      {},
      { apiKey: 'demo' },
      { apiKey: () => 'demo' },
      { apiKey: () => 'demo' },
      { timeout: 1_000 },
      { retry: { attempts: 1 } },
      { plan: 'pro' },
      { cacheScope: 'one client' },
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

  test('none for a provider that comes later, though its functions are those of one on screen', async () => {
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

  test('and another one once all its providers have gone', async () => {
    const provider = (
      <PetstoreProvider baseUrl={newAddress()} apiKey="demo">
        <Reader />
      </PetstoreProvider>
    )
    render(provider).unmount()
    await settled()
    render(provider)
    expect(clients.size).toBe(2)
  })

  test('the same one if a provider with the same options comes as another goes', async () => {
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

test('what the first key was asked for is not closed if the key comes back at once', async () => {
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
  await response.isHeld
  act(() => rerender(page('second')))
  act(() => rerender(page('first')))
  await settled()
  expect(response.isAborted()).toBe(false)
  response.letGo()
  await waitFor(() => expect(shown()).toBe('Dog'))
})
