import { type ReactElement, Suspense } from 'react'
import { SWRConfig } from 'swr'
import {
  type Category,
  CategoryList,
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
  PetstoreProvider,
  prefetchQuery,
  operations,
  type PrefetchedQueries,
  type UseCategoriesOptions,
  useCategories,
  useCreateCategory,
  usePendingCategories,
  useRateLimit,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'

/** The props of the provider: options, or a client. */
export type ProviderProps = PetstoreClientOptions | { readonly client: PetstoreClient }

/** The data that a server embeds in its page. */
export interface Prepared {
  readonly fallback?: PrefetchedQueries
  readonly rows?: readonly Category[]
}

export const sceneNames = ['plain', 'prefetched', 'fallbackData', 'suspending', 'suspendingPrefetched'] as const

export type SceneName = (typeof sceneNames)[number]

interface Scene {
  /** Prepares data on the server before rendering, with a separate client. */
  readonly prepare: (options: PetstoreClientOptions) => Promise<Prepared>
  readonly app: (provider: ProviderProps, prepared: Prepared) => ReactElement
}

/** The same rows for server and page, so that a mismatch can only come from the package. */
export const createService = () => createPetstoreService({ categories: [{ id: '9007199254740993', name: 'Dog' }] })

export const address = 'https://hydration.test/v1'

async function prefetchCategories(options: PetstoreClientOptions): Promise<Prepared> {
  return { fallback: await prefetchQuery(createPetstoreClient(options), operations.listCategories) }
}

async function loadRows(options: PetstoreClientOptions): Promise<Prepared> {
  return { rows: await createPetstoreClient(options).listCategories() }
}

/** Shows everything that could differ between server and page. */
function Everything(options: Pick<UseCategoriesOptions, 'suspense' | 'fallbackData'>) {
  const { data, isLoading, isValidating, wait, dataUpdatedAt } = useCategories(options)
  const { status } = useRateLimit()
  const created = useCreateCategory({ optimistic: true })
  const pending = usePendingCategories()
  return (
    <>
      <p>{data ? data.map(({ id, name }) => `${name} ${id}`).join() : 'nothing yet'}</p>
      <p>
        {isLoading && 'loading'} {isValidating && 'validating'} {wait && `waits until ${wait.until}`}{' '}
        {dataUpdatedAt !== undefined && `updated at ${dataUpdatedAt}.`}
      </p>
      <p>
        rate limit {status}, {created.status}, {pending.length} pending
      </p>
      <CategoryList />
    </>
  )
}

const suspended = (
  <Suspense fallback={<p>suspended</p>}>
    <Everything suspense />
  </Suspense>
)
const withoutData = { prepare: async () => ({}) }

/** An app with what `prefetchQuery` has loaded. */
const prefetchedApp =
  (children: ReactElement): Scene['app'] =>
  (provider, { fallback = {} }) => (
    <SWRConfig value={{ fallback }}>
      <PetstoreProvider {...provider}>{children}</PetstoreProvider>
    </SWRConfig>
  )

/** Apps that a server renders and a page hydrates. */
export const scenes: Readonly<Record<SceneName, Scene>> = {
  plain: {
    ...withoutData,
    app: (provider) => (
      <PetstoreProvider {...provider}>
        <Everything />
      </PetstoreProvider>
    ),
  },
  prefetched: { prepare: prefetchCategories, app: prefetchedApp(<Everything />) },
  fallbackData: {
    prepare: loadRows,
    app: (provider, { rows }) => (
      <PetstoreProvider {...provider}>
        <Everything fallbackData={rows} />
      </PetstoreProvider>
    ),
  },
  suspending: { ...withoutData, app: (provider) => <PetstoreProvider {...provider}>{suspended}</PetstoreProvider> },
  suspendingPrefetched: { prepare: prefetchCategories, app: prefetchedApp(suspended) },
}
