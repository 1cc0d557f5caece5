'use client'

import { type ReactElement, type ReactNode, useCallback, useInsertionEffect, useMemo } from 'react'
import { SWRConfig, unstable_serialize } from 'swr'
import { developmentWarning, isDevelopment } from '../base/development.ts'
import type { PetstoreError } from '../client/errors.ts'
import { invokeCallback } from '../base/listeners.ts'
import { onClear, type PetstoreClient } from '../client/PetstoreClient.ts'
import type { PrefetchedQueries } from '../client/prefetchQuery.ts'
import { acquireClient, configurationOf } from './acquireClient.ts'
import { otherTabsOf, type ProvidedOptions } from './otherTabs.ts'
import { type PartialLabels, PetstoreContext } from './PetstoreContext.ts'
import { clearEntries } from './queries.ts'
import { removeStored } from './storedName.ts'
import { useKeyedState, useLatestRef } from './state.ts'

/** The circumstances of a failure, for the provider's `onError`. */
export interface FailureContext {
  /** Name of the operation. */
  readonly operation: string
  /**
   * Whether other code deals with the error: an `onError` of a mutation, an error boundary (`throwOnError`, `suspense`), code
   * that reads the `error` of a result of `trigger`, or a component that reads that of the hook, as all components of this
   * package do.
   */
  readonly handled: boolean
}

interface CommonProps {
  /** The labels of the components, such as `de` from `petstore-react/locales/de`, or some of them. Default: English. */
  readonly labels?: PartialLabels | undefined
  /** The format of numbers and times, and the order of names, as a BCP 47 tag. Default: the locale of the labels. */
  readonly locale?: string | undefined
  /** How long a response counts as fresh, in ms, unless a query has its own `staleTime`. Default 30,000. */
  readonly staleTime?: number | undefined
  /**
   * Called once for each failed call of the hooks and components below, for logs and messages of the whole app. Not
   * called for canceled calls, nor for calls that your code makes with the client itself.
   */
  readonly onError?: ((error: PetstoreError, context: FailureContext) => void) | undefined
  /**
   * Data that a server has loaded: what `prefetchQuery` or `handler.prefetch` returned, merged. Pass it from the
   * first render on: later it would unmount the components below and mount them again.
   */
  readonly prefetched?: PrefetchedQueries | undefined
  /** The components that use the client. */
  readonly children?: ReactNode
}

interface ProvidedClient extends ProvidedOptions {
  /** Left out: the other props describe a client. */
  readonly client?: undefined
}

interface OwnClient {
  /** Your own client, instead of the options that describe one. The provider never closes it. */
  readonly client: PetstoreClient
}

/** Either the options of `createPetstoreClient`, or a `client`. */
export type PetstoreProviderProps = CommonProps & (ProvidedClient | OwnClient)

/**
 * Provides the client to the hooks and components below it. The address, the key and the scope may change at any time: the
 * provider then cancels the calls in progress, no longer shows the old data, and the old client sends nothing more.
 * `apiKey`, `fetch`, `onEvent` and `onError` may be inline functions. A `rateLimitStore` must be created once: the provider
 * ignores later ones as long as its other options stay the same. Providers may be nested; the nearest one applies. Tabs
 * whose providers have the same addresses, key and `scope` show each other's responses (`shareResponses`).
 *
 * @throws TypeError when an address or option is invalid
 */
export function PetstoreProvider(props: PetstoreProviderProps): ReactElement {
  const { labels, locale, staleTime = 30_000, onError, prefetched, children, ...options } = props
  const client = useClient(options)
  const latestOnError = useLatestRef(onError)
  const reportFailure = useCallback(
    (error: PetstoreError, handled: boolean) =>
      invokeCallback(latestOnError.current, error, { operation: error.operation, handled }),
    [latestOnError],
  )
  const value = useMemo(
    () => ({ client, reportFailure, labels, locale, staleTime }),
    [client, reportFailure, labels, locale, staleTime],
  )
  // `SWRConfig` adds it to the app's own SWR configuration.
  const swrConfig = useMemo(() => prefetched && { fallback: prefetched }, [prefetched])
  if (isDevelopment && process.env.NODE_ENV !== 'production') warnOfOtherScope(client, prefetched)
  return (
    <PetstoreContext.Provider value={value}>
      {swrConfig ? <SWRConfig value={swrConfig}>{children}</SWRConfig> : children}
    </PetstoreContext.Provider>
  )
}

function useClient(options: OwnClient | ProvidedClient): PetstoreClient {
  const configuration = options.client ?? configurationOf(options)
  const handle = useKeyedState(configuration, (provider) =>
    options.client ? undefined : acquireClient(options, provider),
  )
  const client = options.client ?? handle?.client
  if (!client) throw new TypeError('no client')

  // Insertion effects run before all other effects of the components below, so those never call stale functions.
  // StrictMode and a hidden `<Activity>` do not end them, so a client is open as long as its providers are in the page.
  useInsertionEffect(() => {
    if (options.client || !handle) return
    if (storeWarning && handle.rateLimitStore !== options.rateLimitStore) developmentWarning(storeWarning)
    handle.update(options)
  })
  useInsertionEffect(() => handle?.retain(), [handle])
  // An insertion effect, so that a sign-out also reaches a provider that an `<Activity>` hides.
  useInsertionEffect(
    () =>
      onClear(client, () => {
        clearEntries(client)
        removeStored(client)
        otherTabsOf.get(client)?.end('clear')
      }),
    [client],
  )
  return client
}

/** Warns if all prefetched data are of other scopes than the client, so that no component can read them. */
function warnOfOtherScope({ scope }: PetstoreClient, prefetched: PrefetchedQueries = {}): void {
  const beginning = unstable_serialize(['petstore', scope])
  const keys = Object.keys(prefetched)
  if (!scopeWarning || keys.length === 0 || keys.some((key) => key.startsWith(beginning))) return
  developmentWarning(`${scopeWarning} "${scope}".`)
}

const scopeWarning =
  isDevelopment &&
  'The data in `prefetched` are of another scope than the <PetstoreProvider>, so they are ignored and loaded again. ' +
    'Pass the scope of the provider to prefetchQuery: a client without a scope gets a random one, as the client of ' +
    'createPetstoreHandler does. See "Render on a server". The provider has the scope'

const storeWarning =
  isDevelopment &&
  'The rateLimitStore of a <PetstoreProvider> changed. The provider keeps the first one, because a new store knows no ' +
    'cool-downs. Create the store once, outside of components. To replace it, change the key of the provider.'
