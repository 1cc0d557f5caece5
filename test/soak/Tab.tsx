import { type ReactElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { SWRConfig } from 'swr'
import * as z from 'zod/mini'
import {
  CategoryList,
  CategoryManager,
  defineOperation,
  MessageComposer,
  type Operation,
  operations,
  type PetInput,
  type PetstoreClient,
  PetstoreProvider,
  RateLimitBadge,
  type RateLimitStore,
  useCategories,
  type UseCreateCategoryResult,
  useCreateCategory,
  usePendingCategories,
  usePetstoreClient,
  usePetstoreQuery,
  useRateLimit,
  type UseSendMessageResult,
  useSendMessage,
} from '../../src/index.ts'
import { createBrowserStore } from '../../src/rate-limit/stores/browserStore.ts'
import type { Ledger } from './ledger.ts'
import type { Network, Sender } from './network.ts'

/** What a tab can show. */
export type PartKind =
  | 'categories'
  | 'polledCategories'
  | 'pet'
  | 'writer'
  | 'quota'
  | 'CategoryList'
  | 'CategoryManager'
  | 'MessageComposer'
  | 'RateLimitBadge'

export interface Part {
  readonly id: number
  readonly kind: PartKind
  readonly petId: string
}

const petSchema = z.object({ id: z.string() })

/** The service does not show what a pet looks like; this app's has its id. */
export const getPet: Operation<PetInput, z.infer<typeof petSchema>> = defineOperation({
  ...operations.getPet,
  output: petSchema,
})

/** What a person can do with a part that is on screen. */
export interface Controls {
  readonly refresh?: () => Promise<void>
  readonly create?: UseCreateCategoryResult['trigger']
  readonly send?: UseSendMessageResult['trigger']
  readonly cancel?: () => void
}

/** A page of its own: a React root, an SWR cache, a client and its way to the common store. */
export interface Tab extends Sender {
  /** Those of the parts on screen. */
  readonly controls: ReadonlySet<Controls>
  /** Once it is on screen. */
  readonly client: PetstoreClient | undefined
  /** Entries of its SWR cache for each client that it has had. */
  readonly cacheEntries: () => number
  readonly show: (parts: readonly Part[]) => void
  /** In good order: everything is unmounted. */
  readonly close: () => void
  /** Without a word: nothing of it reaches the world any more. What it held is freed by `close`, as by the browser. */
  readonly kill: () => void
}

interface TabOptions {
  readonly name: string
  readonly network: Network
  readonly ledger: Ledger
  /** Whether the app hands over a function that gives the newest key, or a text, and another when it has changed. */
  readonly asksForKey: boolean
  readonly onClient: (client: PetstoreClient) => void
}

export function openTab({ name, network, ledger, asksForKey, onClient }: TabOptions): Tab {
  const container = document.body.appendChild(document.createElement('main'))
  const root = createRoot(container)
  const cache = new Map()
  const swr = { provider: () => cache }
  const shown = new Set<string>()
  const controls = new Set<Controls>()
  let client: PetstoreClient | undefined
  let clients = 0
  let isAlive = true
  const { store, cutOff } = mortal(createBrowserStore(), () => isAlive)
  const onControls = (part: Controls) => {
    controls.add(part)
    return () => void controls.delete(part)
  }
  const noteClient = (next: PetstoreClient) => {
    client = next
    clients += 1
    onClient(next)
  }
  const tab: Tab = {
    name,
    controls,
    get isAlive() {
      return isAlive
    },
    get client() {
      return client
    },
    hasShown: (path) => shown.has(path),
    cacheEntries: () => cache.size / clients,
    show: (parts) => {
      for (const { kind, petId } of parts) shown.add(kind === 'pet' ? `/v1/pets/${petId}` : '/v1/categories')
      root.render(
        <SWRConfig value={swr}>
          <PetstoreProvider
            baseUrl={network.baseUrl}
            quickstartBaseUrl={network.quickstartBaseUrl}
            apiKey={asksForKey ? async () => network.key() : network.key()}
            fetch={network.fetchFrom(tab)}
            rateLimitStore={store}
            onEvent={({ type }) => isAlive && type === 'request' && ledger.noteEvent()}
          >
            <ClientNote onClient={noteClient} />
            {parts.map((part) => (
              <PartView key={part.id} part={part} onControls={onControls} />
            ))}
          </PetstoreProvider>
        </SWRConfig>,
      )
    },
    close: () => {
      root.unmount()
      container.remove()
    },
    kill: () => {
      isAlive = false
      controls.clear()
      cutOff()
      ledger.kill(name)
    },
  }
  return tab
}

/** A store that goes with its tab: it changes nothing, and hears of nothing, from then on. */
function mortal(store: RateLimitStore, isAlive: () => boolean): { store: RateLimitStore; cutOff: () => void } {
  const subscriptions = new Set<() => void>()
  return {
    cutOff: () => {
      for (const stop of subscriptions) stop()
    },
    store: {
      update: async (name, change) => {
        await store.update(name, (stored) => (isAlive() ? change(stored) : stored))
        if (!isAlive()) await new Promise<never>(() => {})
      },
      subscribe: (name, listener) => {
        if (!isAlive()) return () => {}
        const stop = store.subscribe(name, listener)
        subscriptions.add(stop)
        return () => {
          subscriptions.delete(stop)
          stop()
        }
      },
    },
  }
}

interface PartProps {
  readonly part: Part
  readonly onControls: (controls: Controls) => () => void
}

function ClientNote({ onClient }: { readonly onClient: (client: PetstoreClient) => void }): null {
  const client = usePetstoreClient()
  useEffect(() => onClient(client), [client, onClient])
  return null
}

function PartView(props: PartProps): ReactElement {
  const { part } = props
  switch (part.kind) {
    case 'categories':
      return <Categories {...props} />
    case 'polledCategories':
      return <Categories {...props} refreshInterval={45_000} />
    case 'pet':
      return <Pet {...props} />
    case 'writer':
      return <Writer {...props} />
    case 'quota':
      return <Quota />
    case 'CategoryList':
      return <CategoryList />
    case 'CategoryManager':
      return <CategoryManager />
    case 'MessageComposer':
      return <MessageComposer />
    case 'RateLimitBadge':
      return <RateLimitBadge />
    default:
      return part.kind satisfies never
  }
}

function Categories({ onControls, refreshInterval }: PartProps & { readonly refreshInterval?: number }) {
  const { data, error, isValidating, retryAt, refresh } = useCategories({ refreshInterval })
  useEffect(() => onControls({ refresh }), [onControls, refresh])
  return <p>{data?.length ?? error?.kind ?? retryAt ?? (isValidating ? '…' : '')}</p>
}

function Pet({ part, onControls }: PartProps) {
  const { data, error, retryAt, refresh } = usePetstoreQuery(getPet, { petId: part.petId })
  useEffect(() => onControls({ refresh }), [onControls, refresh])
  return <p>{data?.id ?? error?.kind ?? retryAt}</p>
}

function Writer({ onControls }: PartProps) {
  const { trigger: create, cancel: cancelCreation, status } = useCreateCategory({ optimistic: true })
  const { trigger: send, cancel: cancelMessages, status: messageStatus } = useSendMessage()
  const pending = usePendingCategories()
  useEffect(() => {
    const cancel = () => {
      cancelCreation()
      cancelMessages()
    }
    return onControls({ create, send, cancel })
  }, [onControls, create, send, cancelCreation, cancelMessages])
  return (
    <p>
      {status} {messageStatus} {pending.length}
    </p>
  )
}

function Quota() {
  const { status, remaining } = useRateLimit()
  return (
    <p>
      {status} {remaining}
    </p>
  )
}
