import { render } from '@testing-library/react'
import { type ReactElement, type ReactNode, StrictMode } from 'react'
import { SWRConfig, type SWRConfiguration } from 'swr'
import { type PetstoreClientOptions, PetstoreProvider } from '../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../src/testing.ts'

interface Surroundings {
  readonly service?: PetstoreService
  /** What the app around has set for all of SWR. */
  readonly swr?: SWRConfiguration
}

/** Renders in StrictMode, below a provider, on a service and with a cache of its own. */
export function renderOnService(ui: ReactElement, { service = createPetstoreService(), swr = {} }: Surroundings = {}) {
  const view = render(
    <OwnCache {...swr}>
      <PetstoreProvider {...optionsFor(service)}>{ui}</PetstoreProvider>
    </OwnCache>,
  )
  return { ...view, service }
}

let addresses = 0

/** An address that nobody else uses, and so one with a rate limit of its own. */
export function newAddress(): string {
  addresses += 1
  return `https://service-${addresses}.test/v1`
}

/** The options of a client that sends each request once and waits little, so that failures show at once. */
export function optionsFor({ fetch }: { fetch: (request: Request) => Promise<Response> }) {
  return {
    baseUrl: newAddress(),
    apiKey: 'demo',
    fetch,
    retry: { attempts: 1, maxWait: 5_000 },
  } satisfies PetstoreClientOptions
}

/** StrictMode and an SWR cache that no other test sees. */
export function OwnCache({ children, ...swr }: SWRConfiguration & { children: ReactNode }): ReactElement {
  return (
    <StrictMode>
      <SWRConfig value={{ ...swr, provider: () => new Map() }}>{children}</SWRConfig>
    </StrictMode>
  )
}

/** What `fetch` does while the service says nothing: it ends when the request is aborted. */
export function noResponse({ signal }: Request): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
  })
}
