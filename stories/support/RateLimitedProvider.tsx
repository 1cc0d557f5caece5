import { type ReactElement, type ReactNode, useState } from 'react'
import { createMemoryStore, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'

interface RateLimitedProviderProps {
  /** The `Retry-After` of the first response, in seconds. */
  readonly retryAfter: number
  readonly children: ReactNode
}

/**
 * Refuses the first request with a 429. Its client then waits, while the clients of other stories give up at once so
 * that those stories stay in their state.
 */
export function RateLimitedProvider({ retryAfter, children }: RateLimitedProviderProps): ReactElement {
  const [service] = useState(() => {
    const created = createPetstoreService()
    created.failNext({ status: 429, headers: { 'Retry-After': String(retryAfter) } })
    return created
  })
  const [rateLimitStore] = useState(createMemoryStore)
  return (
    <PetstoreProvider
      baseUrl={service.baseUrl}
      quickstartBaseUrl={service.quickstartBaseUrl}
      apiKey="demo"
      fetch={service.fetch}
      rateLimitStore={rateLimitStore}
      retry={{ maxWait: Infinity }}
    >
      {children}
    </PetstoreProvider>
  )
}
