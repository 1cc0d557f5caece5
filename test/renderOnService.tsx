import { render } from '@testing-library/react'
import { type ReactElement, type ReactNode, StrictMode } from 'react'
import { SWRConfig, type SWRConfiguration } from 'swr'
import { type PetstoreClientOptions, PetstoreProvider } from '../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../src/testing.ts'

export { noResponse } from './noResponse.ts'

interface Surroundings {
  readonly service?: PetstoreService
  /** The app-wide settings of SWR. */
  readonly swr?: SWRConfiguration
}

/** Renders in StrictMode, below a provider, with a service and a new cache. */
export function renderOnService(ui: ReactElement, { service = createPetstoreService(), swr = {} }: Surroundings = {}) {
  const view = render(
    <OwnCache {...swr}>
      <PetstoreProvider {...optionsFor(service)}>{ui}</PetstoreProvider>
    </OwnCache>,
  )
  return { ...view, service }
}

/** In a browser, test files share IndexedDB, and with it the rate limits of equal addresses. */
const fileId = crypto.randomUUID()
let addresses = 0

/** A new address, which has its own rate limit. */
export function newAddress(): string {
  addresses += 1
  return `https://service-${addresses}-${fileId}.test/v1`
}

/** The options of a client that does not retry and waits at most 5 s, so that tests see a failure soon. */
export function optionsFor({ fetch }: { fetch: (request: Request) => Promise<Response> }) {
  return {
    baseUrl: newAddress(),
    apiKey: 'demo',
    fetch,
    retry: { attempts: 1, maxWait: 5_000 },
  } satisfies PetstoreClientOptions
}

/** StrictMode, and an SWR cache that tests do not share. */
export function OwnCache({ children, ...swr }: SWRConfiguration & { children: ReactNode }): ReactElement {
  return (
    <StrictMode>
      <SWRConfig value={{ ...swr, provider: () => new Map() }}>{children}</SWRConfig>
    </StrictMode>
  )
}
