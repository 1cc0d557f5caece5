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
  type UseSendMessageResult,
  useSendMessage,
} from '../../src/index.ts'
import type { PetInput } from '../../src/contract/guardedSchema.ts'
import { createBrowserStore } from '../../src/rate-limit/stores/browserStore.ts'
import type { Ledger } from './ledger.ts'
import type { Network, Sender } from './network.ts'

export interface Part {
  readonly id: number
  readonly kind: PartKind
  readonly petId: string
}

const petSchema = z.object({ id: z.string() })

/** The interface document does not show a pet's fields. In this app a pet has an id. */
export const getPet: Operation<PetInput, z.infer<typeof petSchema>> = defineOperation({
  ...operations.getPet,
  output: petSchema,
})

/** The actions that a person can take in a part of the page. */
export interface Controls {
  readonly refresh?: () => Promise<void>
  readonly create?: UseCreateCategoryResult['trigger']
  readonly send?: UseSendMessageResult['trigger']
  readonly cancel?: () => void
}

/** A page with its own React root, SWR cache, client and connection to the shared store. */
export interface Tab extends Sender {
  /** The controls of all parts on screen. */
  readonly controls: ReadonlySet<Controls>
  /** `undefined` until the provider has mounted. */
  readonly client: PetstoreClient | undefined
  /** The entries of its SWR cache, per client that it has had. */
  readonly cacheEntries: () => number
  readonly show: (parts: readonly Part[]) => void
  /** Unmounts everything. */
  readonly close: () => void
  /** Crashes the tab: nothing from it reaches the network or the store anymore. `close` frees its memory afterward. */
  readonly kill: () => void
}

interface TabOptions {
  readonly name: string
  readonly network: Network
  readonly ledger: Ledger
  /** Whether the app passes a function for the API key. Otherwise it passes a string, and a new one after a change. */
  readonly usesKeyFunction: boolean
}

export function openTab({ name, network, ledger, usesKeyFunction }: TabOptions): Tab {
  const container = document.body.appendChild(document.createElement('main'))
  const root = createRoot(container)
  const cache = new Map()
  const swr = { provider: () => cache }
  const shown = new Set<string>()
  const controls = new Set<Controls>()
  let client: PetstoreClient | undefined
  let clients = 0
  let isAlive = true
  const { store, disconnect } = disconnectable(createBrowserStore(), () => isAlive)
  const onControls = (part: Controls) => {
    controls.add(part)
    return () => void controls.delete(part)
  }
  const observeClient = (next: PetstoreClient) => {
    client = next
    clients += 1
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
            apiKey={usesKeyFunction ? async () => network.key() : network.key()}
            fetch={network.fetchFrom(tab)}
            rateLimitStore={store}
            onEvent={({ type }) => isAlive && type === 'request' && ledger.noteEvent()}
          >
            <ClientObserver onClient={observeClient} />
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
      disconnect()
      ledger.kill(name)
    },
  }
  return tab
}

/** A store for one tab. Once the tab has crashed, it writes nothing and notifies nobody. */
function disconnectable(
  store: RateLimitStore,
  isAlive: () => boolean,
): { readonly store: RateLimitStore; readonly disconnect: () => void } {
  const subscriptions = new Set<() => void>()
  return {
    disconnect: () => {
      for (const unsubscribe of subscriptions) unsubscribe()
    },
    store: {
      update: async (name, change) => {
        await store.update(name, (stored) => (isAlive() ? change(stored) : stored))
        if (!isAlive()) await new Promise<never>(() => {})
      },
      subscribe: (name, listener) => {
        if (!isAlive()) return () => {}
        const unsubscribe = store.subscribe(name, listener)
        subscriptions.add(unsubscribe)
        return () => {
          subscriptions.delete(unsubscribe)
          unsubscribe()
        }
      },
    },
  }
}

interface PartProps {
  readonly part: Part
  readonly onControls: (controls: Controls) => () => void
}

function ClientObserver({ onClient }: { readonly onClient: (client: PetstoreClient) => void }): null {
  const client = usePetstoreClient()
  useEffect(() => onClient(client), [client, onClient])
  return null
}

function Categories({ onControls, refreshInterval }: PartProps & { readonly refreshInterval?: number }) {
  const { data, error, isValidating, wait, refresh } = useCategories({ refreshInterval })
  useEffect(() => onControls({ refresh }), [onControls, refresh])
  return <p>{data?.length ?? error?.kind ?? wait?.until ?? (isValidating ? '…' : '')}</p>
}

function Pet({ part, onControls }: PartProps) {
  const { data, error, wait, refresh } = usePetstoreQuery(getPet, { petId: part.petId })
  useEffect(() => onControls({ refresh }), [onControls, refresh])
  return <p>{data?.id ?? error?.kind ?? wait?.until}</p>
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

/** The parts that a tab can show. */
const views = {
  categories: Categories,
  polledCategories: (props: PartProps) => <Categories {...props} refreshInterval={45_000} />,
  pet: Pet,
  writer: Writer,
  CategoryList: () => <CategoryList />,
  CategoryManager: () => <CategoryManager />,
  MessageComposer: () => <MessageComposer />,
  RateLimitBadge: () => <RateLimitBadge />,
}

export type PartKind = keyof typeof views

function PartView(props: PartProps): ReactElement {
  const View = views[props.part.kind]
  return <View {...props} />
}
