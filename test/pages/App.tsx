import { type ReactElement, StrictMode } from 'react'
import { SWRConfig } from 'swr'
// `bundlePage` builds for production, where `devtools.ts` shows nothing.
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

/** An app with every visible component and the developer tools. A server renders it, and `hydrate.tsx` hydrates it. */
export function App({ baseUrl, quickstartBaseUrl, fallback }: AppProps): ReactElement {
  return (
    <StrictMode>
      <SWRConfig value={{ fallback }}>
        <PetstoreProvider baseUrl={baseUrl} quickstartBaseUrl={quickstartBaseUrl} apiKey="demo" scope="page">
          <CategoryManager />
          <MessageComposer maxLength={140} draftKey="draft" />
          <RateLimitBadge compact />
          {/* With another name than the list in CategoryManager, so that tests can tell them apart. */}
          <CategoryList selectionMode="multiple" labels={{ name: 'To select' }} />
          <PetstoreDevtools />
        </PetstoreProvider>
      </SWRConfig>
    </StrictMode>
  )
}
