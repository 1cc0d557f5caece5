import { act, cleanup, render } from '@testing-library/react'
import { type ReactElement, StrictMode } from 'react'
import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type * as swr from 'swr'
import type * as petstore from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { hashAtOnce } from '../client/client.setup.ts'
import { newAddress } from '../renderOnService.tsx'
import { settle } from './query.setup.tsx'
import { lastOf } from './renderHookOnService.tsx'

/** A copy of the package, and the copy of SWR that it imports: under React 18, they must belong together. */
type Package = typeof petstore & Pick<typeof swr, 'SWRConfig'>
export type ProviderOptions = Extract<petstore.PetstoreProviderProps, { readonly client?: undefined }>

/** A copy of the package for each tab, since tabs share no modules. */
let copies: readonly Package[] = []

beforeAll(async () => {
  const all: Package[] = []
  for (let count = 0; count < 6; count += 1) {
    vi.resetModules()
    const { SWRConfig } = await import('swr')
    all.push({ ...(await import('../../src/index.ts')), SWRConfig })
  }
  copies = all
})

/** A channel between tabs that live in one process. */
export class TestChannel {
  static readonly open = new Set<TestChannel>()
  /** Everything that tabs have sent. */
  static readonly sent: unknown[] = []
  /** How long a message takes, in ms. */
  static delay = 0
  onmessage: ((event: { readonly data: unknown }) => void) | null = null
  /** A frozen tab neither sends nor hears. */
  isFrozen = false

  readonly name: string

  constructor(name: string) {
    this.name = name
    TestChannel.open.add(this)
  }

  postMessage(message: unknown): void {
    if (this.isFrozen) return
    TestChannel.sent.push(message)
    for (const other of TestChannel.open) {
      if (other === this || other.name !== this.name || other.isFrozen) continue
      const data = structuredClone(message)
      const deliver = () => {
        if (TestChannel.open.has(other)) act(() => other.onmessage?.({ data }))
      }
      if (TestChannel.delay > 0) setTimeout(deliver, TestChannel.delay)
      else queueMicrotask(deliver)
    }
  }

  close(): void {
    TestChannel.open.delete(this)
  }
}

export function openTestChannelsInEachTest(): void {
  beforeEach(() => {
    TestChannel.sent.length = 0
    TestChannel.delay = 0
    localStorage.clear()
    vi.stubGlobal('BroadcastChannel', TestChannel)
    hashAtOnce()
  })
  afterEach(() => {
    cleanup()
    TestChannel.open.clear()
    vi.unstubAllGlobals()
  })
}

/** What a tab shows, and can do. */
export interface Tab {
  /** The names of the categories, or what there is instead of them. */
  readonly text: () => string | null
  readonly updatedAt: () => number | undefined
  readonly refresh: () => void
  readonly create: (name: string) => void
  readonly invalidate: () => void
  readonly client: () => petstore.PetstoreClient
  /** Ends its provider, as when its user signs out. */
  readonly close: () => void
  /** The channel to the other tabs. */
  readonly channel: TestChannel | undefined
}

interface World {
  readonly service: PetstoreService
  readonly options: ProviderOptions
  /** Creates a category elsewhere, which no tab hears of. */
  readonly add: (name: string) => Promise<void>
  /** How many GETs the service has got. */
  readonly gets: () => number
  /** @param page - the index of the copy: the same one for sessions that follow each other in one tab */
  readonly openTab: (options?: Partial<ProviderOptions>, query?: Query, page?: number) => Promise<Tab>
  /** Opens tabs at the same moment. */
  readonly openTabs: (count: number, query?: Query) => Promise<readonly Tab[]>
}

type Query = petstore.UseCategoriesOptions

/** Tabs of one app, which has a service. */
export function createWorld(service = createPetstoreService({ categories: [{ name: 'Dog' }] })): World {
  const options: ProviderOptions = {
    baseUrl: newAddress(),
    apiKey: 'demo',
    fetch: service.fetch,
    retry: { attempts: 1, maxWait: 5_000 },
  }
  let openedPages = 0
  function show(changed: Partial<ProviderOptions>, query?: Query, page = openedPages++): Omit<Tab, 'channel'> {
    const copy = copies[page]
    if (!copy) throw new Error('There are not so many pages.')
    // Modules that this copy loads later must be its own, too.
    vi.resetModules()
    return renderTab(copy, { ...options, ...changed }, query ?? {})
  }
  async function openTab(changed: Partial<ProviderOptions> = {}, query?: Query, page?: number): Promise<Tab> {
    const before = TestChannel.open.size
    const tab = show(changed, query, page)
    const { apiKey, scope, rateLimitStore, shareResponses } = { ...options, ...changed }
    const isSharing =
      shareResponses !== false && !rateLimitStore?.inMemory && (scope !== undefined || typeof apiKey === 'string')
    if (isSharing) await waitForChannels(before + 1)
    await settle()
    return { ...tab, channel: [...TestChannel.open][before] }
  }
  return {
    service,
    options,
    add: async (name) => {
      await service.fetch(`${options.baseUrl}/categories`, {
        method: 'POST',
        headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/json' },
        body: JSON.stringify({ name }),
      })
    },
    gets: () => service.requests.filter(({ method }) => method === 'GET').length,
    openTab,
    openTabs: async (count, query) => {
      const tabs = Array.from({ length: count }, () => show({}, query))
      await waitForChannels(count)
      await settle()
      return tabs.map((tab, index) => ({ ...tab, channel: [...TestChannel.open][index] }))
    },
  }
}

/** Waits until this many channels are open, for 5 s of real time at most: loading `tabs.ts` takes real time. */
async function waitForChannels(count: number): Promise<void> {
  const end = process.hrtime.bigint() + 5_000_000_000n
  while (TestChannel.open.size < count && process.hrtime.bigint() < end) await settle()
}

function renderTab(copy: Package, options: ProviderOptions, query: Query): Omit<Tab, 'channel'> {
  const {
    SWRConfig,
    PetstoreProvider,
    useCategories,
    useCreateCategory,
    useInvalidate,
    usePetstoreClient,
    operations,
  } = copy
  const hooks = lastOf<Pick<Tab, 'updatedAt' | 'refresh' | 'create' | 'invalidate' | 'client'>>()
  function Names(): ReactElement {
    const categories = useCategories(query)
    const { trigger } = useCreateCategory()
    const invalidate = useInvalidate()
    const client = usePetstoreClient()
    const { data, error } = categories
    hooks.set({
      updatedAt: () => categories.dataUpdatedAt,
      refresh: () => void categories.refresh(),
      create: (name) => void trigger({ name }),
      invalidate: () => void invalidate(operations.listCategories),
      client: () => client,
    })
    return <p>{error ? error.kind : data ? data.map(({ name }) => name).join() : 'nothing yet'}</p>
  }
  const cache = new Map()
  const { container, unmount } = render(
    <StrictMode>
      <SWRConfig value={{ provider: () => cache }}>
        <PetstoreProvider {...options}>
          <Names />
        </PetstoreProvider>
      </SWRConfig>
    </StrictMode>,
  )
  return {
    text: () => container.textContent,
    updatedAt: () => hooks.get().updatedAt(),
    refresh: () => act(() => hooks.get().refresh()),
    create: (name) => act(() => hooks.get().create(name)),
    invalidate: () => act(() => hooks.get().invalidate()),
    client: () => hooks.get().client(),
    close: unmount,
  }
}

/** What every tab shows. */
export const texts = (tabs: readonly Tab[]) => tabs.map(({ text }) => text())
