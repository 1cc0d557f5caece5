import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { createContext, type ReactElement, type ReactNode, useContext, version } from 'react'
import useSWR, { SWRConfig } from 'swr'
import useSWRMutation from 'swr/mutation'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PetstoreProvider, useCategories, useCreateCategory } from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService, type RecordedRequest, type PetstoreService } from '../../src/testing.ts'
import { newAddress } from '../renderOnService.tsx'

/*
 * Counts the requests of one hour of work with a page, for three libraries with their default options.
 */

type Step = 'mount' | 'unmount' | 'create' | 'blur' | 'focus'

const clock = (text: string) => {
  const [minutes = 0, seconds = 0] = text.split(':').map(Number)
  return (minutes * 60 + seconds) * 1000
}

/** When the person returns from another tab or window after ten seconds, sometimes in quick succession. */
const visits = [
  ...['01:10', '01:25', '04:00', '09:30', '09:45', '09:59', '15:00', '15:20', '22:00', '22:12'],
  ...['22:25', '28:00', '33:00', '33:14', '40:00', '46:00', '46:18', '52:00', '57:00', '57:25'],
]
const creations = ['02:00', '02:20', '10:15', '30:00', '47:00']
/** When the ten components mount again, after five seconds on another page of the app. */
const remounts = ['12:00', '33:20', '50:00']

const schedule: readonly (readonly [at: number, step: Step])[] = [
  [0, 'mount'] as const,
  ...visits.flatMap((at) => [[clock(at) - 10_000, 'blur'] as const, [clock(at), 'focus'] as const]),
  ...creations.map((at) => [clock(at), 'create'] as const),
  ...remounts.flatMap((at) => [[clock(at) - 5_000, 'unmount'] as const, [clock(at), 'mount'] as const]),
].toSorted(([one], [other]) => one - other)

interface Contender {
  /** One of the ten components: shows the names, and creates a category on a click. */
  readonly Part: () => ReactElement
  /** Stays mounted for the whole hour. */
  readonly Surroundings: (props: { service: PetstoreService; children: ReactNode }) => ReactElement
}

function View(props: { names: readonly string[] | undefined; onCreate: () => void }) {
  return (
    <button type="button" onClick={props.onCreate}>
      {props.names?.join()}
    </button>
  )
}

const hooks: Contender = {
  Part: () => {
    const { data } = useCategories()
    const { trigger } = useCreateCategory()
    return <View names={data?.map(({ name }) => name)} onCreate={() => void trigger({ name: 'New' })} />
  },
  Surroundings: ({ service, children }) => (
    <SWRConfig value={ownCache}>
      <PetstoreProvider baseUrl={address} apiKey="demo" fetch={service.fetch} rateLimitStore={store}>
        {children}
      </PetstoreProvider>
    </SWRConfig>
  ),
}

const swr: Contender = {
  Part: () => {
    const fetch = useContext(FetchContext)
    const { data } = useSWR('/categories', (path: string) => fetchJson<readonly Named[]>(fetch, path))
    const { trigger } = useSWRMutation('/categories', (path: string, { arg }: { arg: Named }) =>
      fetchJson<Named>(fetch, path, arg),
    )
    return <View names={data?.map(({ name }) => name)} onCreate={() => void trigger({ name: 'New' })} />
  },
  Surroundings: ({ service, children }) => (
    <SWRConfig value={ownCache}>
      <FetchContext.Provider value={service.fetch}>{children}</FetchContext.Provider>
    </SWRConfig>
  ),
}

const tanstack: Contender = {
  Part: () => {
    const fetch = useContext(FetchContext)
    const queryClient = useQueryClient()
    const queryKey = ['categories']
    const { data } = useQuery({ queryKey, queryFn: () => fetchJson<readonly Named[]>(fetch, '/categories') })
    const { mutate } = useMutation({
      mutationFn: (category: Named) => fetchJson<Named>(fetch, '/categories', category),
      onSuccess: () => queryClient.invalidateQueries({ queryKey }),
    })
    return <View names={data?.map(({ name }) => name)} onCreate={() => mutate({ name: 'New' })} />
  },
  Surroundings: ({ service, children }) => (
    <QueryClientProvider client={queryClient}>
      <FetchContext.Provider value={service.fetch}>{children}</FetchContext.Provider>
    </QueryClientProvider>
  ),
}

interface Named {
  readonly name: string
}

const address = newAddress()
const store = createMemoryStore()
const queryClient = new QueryClient()
const ownCache = { provider: () => new Map() }
const FetchContext = createContext<PetstoreService['fetch']>(globalThis.fetch)

/** The fetcher that the documentation of the other libraries tells apps to write. */
async function fetchJson<Response>(fetch: PetstoreService['fetch'], path: string, body?: unknown): Promise<Response> {
  const response = await fetch(address + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return (await response.json()) as Response
}

const { setImmediate: turn } = globalThis
const digests = vi.spyOn(crypto.subtle, 'digest')

beforeEach(() => {
  vi.useFakeTimers({
    toFake: [
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const),
      ...(['requestAnimationFrame', 'cancelAnimationFrame'] as const),
    ],
    now: Date.UTC(2026, 0, 5, 9),
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Advances the clock, and waits for everything that was in progress before. */
async function pass(ms: number): Promise<void> {
  const first = Math.min(ms, 300)
  await act(async () => {
    for (let passed = 0; passed < first; passed += 20) {
      // Hashing the key and reading bodies take real time.
      await Promise.all(digests.mock.results.map(({ value }) => value))
      await new Promise(turn)
      vi.advanceTimersByTime(20)
    }
    await vi.advanceTimersByTimeAsync(ms - first)
  })
}

const setVisible = (isVisible: boolean) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isVisible ? 'visible' : 'hidden')
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  window.dispatchEvent(new Event(isVisible ? 'focus' : 'blur'))
}

async function spendAnHour({ Part, Surroundings }: Contender) {
  const service = createPetstoreService({ latency: 120, categories: [{ name: 'Dog' }] })
  const page = (isMounted: boolean) => (
    <Surroundings service={service}>
      {isMounted && Array.from({ length: 10 }, (_, index) => <Part key={index} />)}
    </Surroundings>
  )
  const { container, rerender, unmount } = render(page(false))
  const perform: Readonly<Record<Step, () => void>> = {
    mount: () => rerender(page(true)),
    unmount: () => rerender(page(false)),
    create: () => container.querySelector('button')?.click(),
    blur: () => setVisible(false),
    focus: () => setVisible(true),
  }
  let now = 0
  for (const [at, step] of schedule) {
    await pass(at - now)
    now = at
    act(perform[step])
  }
  await pass(clock('60:00') - now)

  const shown = [...container.querySelectorAll('button')].map(({ textContent }) => textContent)
  expect(shown).toEqual(Array<string>(10).fill('Dog,New,New,New,New,New'))
  unmount()
  const count = (isMeant: (entry: RecordedRequest) => boolean) => service.requests.filter(isMeant).length
  const [gets, posts] = ['GET', 'POST'].map((expected) => count(({ method }) => method === expected))
  return `${gets} GET, ${posts} POST, ${count(({ status }) => status === 429)} times 429`
}

// TanStack Query would load React 19 here. The counts do not depend on React's version.
test.skipIf(version.startsWith('18'))('the hooks send the fewest requests in one hour', async () => {
  const counts = {
    hooks: await spendAnHour(hooks),
    SWR: await spendAnHour(swr),
    TanStack: await spendAnHour(tanstack),
  }
  expect(counts).toMatchInlineSnapshot(`
    {
      "SWR": "29 GET, 5 POST, 0 times 429",
      "TanStack": "29 GET, 5 POST, 0 times 429",
      "hooks": "14 GET, 5 POST, 0 times 429",
    }
  `)
})
