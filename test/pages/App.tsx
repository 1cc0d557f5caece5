import { type ReactElement, StrictMode } from 'react'
import { SWRConfig } from 'swr'
import { PetstoreDevtools } from '../../src/devtools/production.ts'
import {
  CategoryList,
  CategoryManager,
  MessageComposer,
  PetstoreProvider,
  type PrefetchedQueries,
  RateLimitBadge,
} from '../../src/index.ts'

export interface AppProps {
  readonly baseUrl: string
  readonly quickstartBaseUrl: string
  /** The data that the server has prefetched. */
  readonly fallback: PrefetchedQueries
}

/** An app that shows everything there is, on a server and in a page. */
export function App({ baseUrl, quickstartBaseUrl, fallback }: AppProps): ReactElement {
  return (
    <StrictMode>
      <SWRConfig value={{ fallback }}>
        <PetstoreProvider baseUrl={baseUrl} quickstartBaseUrl={quickstartBaseUrl} apiKey="demo" scope="page">
          <CategoryManager />
          <MessageComposer maxLength={140} draftKey="draft" />
          <RateLimitBadge compact />
          <CategoryList selectionMode="multiple" labels={{ name: 'To select' }} />
          <PetstoreDevtools />
        </PetstoreProvider>
      </SWRConfig>
    </StrictMode>
  )
}
