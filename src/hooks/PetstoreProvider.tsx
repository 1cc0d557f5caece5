'use client'

import { type ReactElement, type ReactNode, useEffect, useInsertionEffect, useMemo, useState } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'
import type { PetstoreLabels } from '../labels/PetstoreLabels.ts'
import { configurationOf, givenClient, acquireClient } from './clientRegistry.ts'
import { PetstoreContext } from './PetstoreContext.ts'

interface CommonProps {
  /** The words that the components show, such as `de` from `petstore-react/locales/de`. Default: English. */
  readonly labels?: PetstoreLabels | undefined
  /** How numbers, times and the order of names are written, as a BCP 47 tag. Default: that of the labels. */
  readonly locale?: string | undefined
  readonly children?: ReactNode
}

interface ConfigurationProps extends CommonProps, PetstoreClientOptions {
  readonly client?: undefined
}

interface ClientProps extends CommonProps {
  /** A client of your own, instead of the options that describe one. The provider never closes it. */
  readonly client: PetstoreClient
}

/** Either the options of `createPetstoreClient`, or a `client`. */
export type PetstoreProviderProps = ConfigurationProps | ClientProps

/**
 * Gives the hooks and components below it their client. Address and key may change at any time: what is under way for
 * the old ones is cancelled, and their data is not shown any more. `apiKey`, `fetch` and `onEvent` may be inline
 * arrows. Providers may be nested; the nearest one counts.
 *
 * @throws TypeError when an address or option cannot be used
 */
export function PetstoreProvider(props: PetstoreProviderProps): ReactElement {
  const { labels, locale, children } = props
  const client = useClient(props)
  const value = useMemo(() => ({ client, labels, locale }), [client, labels, locale])
  return <PetstoreContext.Provider value={value}>{children}</PetstoreContext.Provider>
}

function useClient(props: PetstoreProviderProps): PetstoreClient {
  const configuration = props.client ?? configurationOf(clientOptions(props))
  // Lasts from the first time on screen, as the state does: what is thrown away before that has another one each time.
  const [self] = useState(() => ({}))
  const provide = (provider?: object) =>
    props.client ? givenClient(props.client) : acquireClient(clientOptions(props), provider)
  const [provided, setProvided] = useState(() => provide())
  if (provided.configuration !== configuration) setProvided(provide(self))

  // Before any effect of the components below, so that they never call with the functions of an earlier render.
  useInsertionEffect(() => {
    if (!props.client) provided.update(clientOptions(props))
  })
  useEffect(() => provided.keep(), [provided])
  return provided.client
}

function clientOptions(props: ConfigurationProps): PetstoreClientOptions {
  const { client: _client, labels: _labels, locale: _locale, children: _children, ...options } = props
  return options
}
