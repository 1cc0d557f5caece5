import { type ReactNode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import {
  defineOperation,
  operations,
  PetstoreProvider,
  useCategories,
  useCreateCategory,
  usePetstoreQuery,
} from '../../../src/index.ts'

/** The parameters in the address of a page, which say what it does. */
export interface PageParameters {
  readonly key: string
  /** How often the page polls, in ms. With 0 it does not poll. */
  readonly interval: string
  readonly shares: 'yes' | 'no'
}

declare global {
  interface Window {
    /** When each name of a category was first shown, in epoch ms. */
    firstShownAt: Record<string, number>
    /** When everything was shown, in ms since the navigation began. */
    readyAt?: number
    create: (name: string) => void
  }
}

const parameters = new URLSearchParams(location.search)
const refreshInterval = Number(parameters.get('interval')) || undefined
const anything = {
  '~standard': { version: 1, vendor: 'tabs', validate: (value: unknown) => ({ value }) },
} as const
const listOffers = defineOperation({ name: 'listOffers', path: '/offers', output: anything })

window.firstShownAt = {}

function View(): ReactNode {
  const categories = useCategories({ refreshInterval })
  const orders = usePetstoreQuery(operations.listOrders, undefined, { refreshInterval })
  const pet = usePetstoreQuery(operations.getPet, { petId: '1' }, { refreshInterval })
  const offers = usePetstoreQuery(listOffers, undefined, { refreshInterval })
  const { trigger } = useCreateCategory()
  const isReady = [categories, orders, pet, offers].every(({ data }) => data !== undefined)
  const names = categories.data?.map(({ name }) => name).join() ?? ''
  useEffect(() => {
    window.create = (name) => void trigger({ name })
    if (isReady) window.readyAt ??= performance.now()
    for (const name of names.split(',')) window.firstShownAt[name] ??= Date.now()
  }, [trigger, isReady, names])
  return <p>{names}</p>
}

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <PetstoreProvider
      baseUrl={`${location.origin}/v1`}
      apiKey={parameters.get('key') ?? ''}
      shareResponses={parameters.get('shares') === 'yes'}
    >
      <View />
    </PetstoreProvider>,
  )
}
