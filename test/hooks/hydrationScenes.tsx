import { type ReactElement, Suspense } from 'react'
import { SWRConfig } from 'swr'
import {
  CategoryList,
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
  PetstoreProvider,
  prefetchCategories,
  type UseCategoriesOptions,
  useCategories,
  useCreateCategory,
  usePendingCategories,
  useRateLimit,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'

/** What the provider is given: options, or a client. */
export type ProviderProps = PetstoreClientOptions | { readonly client: PetstoreClient }

/** What a server writes into its page beside the HTML. */
export interface Prepared {
  readonly fallback?: Awaited<ReturnType<typeof prefetchCategories>>
}

export const sceneNames = ['plain', 'prefetched', 'fallbackData', 'suspending', 'suspendingPrefetched'] as const

export type SceneName = (typeof sceneNames)[number]

interface Scene {
  /** What is done on the server before rendering, with a client of its own. */
  readonly prepare: (options: PetstoreClientOptions) => Promise<Prepared>
  readonly app: (provider: ProviderProps, prepared: Prepared) => ReactElement
}

/** The service as both sides reach it: the same rows, so that what differs comes from elsewhere. */
export const createService = () => createPetstoreService({ categories: [{ id: '9007199254740993', name: 'Dog' }] })

export const address = 'https://hydration.test/v1'

async function categoriesAhead(options: PetstoreClientOptions): Promise<Prepared> {
  return { fallback: await prefetchCategories(createPetstoreClient(options)) }
}

/** Everything that may differ between server and page. */
function Everything(options: Pick<UseCategoriesOptions, 'suspense' | 'fallbackData'>) {
  const { data, isLoading, isValidating, retryAt } = useCategories(options)
  const { status } = useRateLimit()
  const created = useCreateCategory({ optimistic: true })
  const pending = usePendingCategories()
  return (
    <>
      <p>{data ? data.map(({ id, name }) => `${name} ${id}`).join() : 'nothing yet'}</p>
      <p>
        {isLoading && 'loading'} {isValidating && 'validating'} {retryAt && `held back until ${retryAt}`}
      </p>
      <p>
        rate limit {status}, {created.status}, {pending.length} pending
      </p>
      <CategoryList />
    </>
  )
}

/** Apps that are rendered by a server and then hydrated. */
export const scenes: Readonly<Record<SceneName, Scene>> = {
  plain: {
    prepare: async () => ({}),
    app: (provider) => (
      <PetstoreProvider {...provider}>
        <Everything />
      </PetstoreProvider>
    ),
  },
  prefetched: {
    prepare: categoriesAhead,
    app: (provider, { fallback = {} }) => (
      <SWRConfig value={{ fallback }}>
        <PetstoreProvider {...provider}>
          <Everything />
        </PetstoreProvider>
      </SWRConfig>
    ),
  },
  fallbackData: {
    prepare: categoriesAhead,
    app: (provider, { fallback = {} }) => (
      <PetstoreProvider {...provider}>
        <Everything fallbackData={Object.values(fallback)[0]} />
      </PetstoreProvider>
    ),
  },
  suspending: {
    prepare: async () => ({}),
    app: (provider) => (
      <PetstoreProvider {...provider}>
        <Suspense fallback={<p>suspended</p>}>
          <Everything suspense />
        </Suspense>
      </PetstoreProvider>
    ),
  },
  suspendingPrefetched: {
    prepare: categoriesAhead,
    app: (provider, { fallback = {} }) => (
      <SWRConfig value={{ fallback }}>
        <PetstoreProvider {...provider}>
          <Suspense fallback={<p>suspended</p>}>
            <Everything suspense />
          </Suspense>
        </PetstoreProvider>
      </SWRConfig>
    ),
  },
}
