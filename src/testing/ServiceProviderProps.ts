import type { ServiceAddresses } from './addressesAt.ts'
import type { CheckedStore } from './rateLimitStoreChecks.ts'

/** Options of a client, and props of `PetstoreProvider`, that lead to a service in memory. */
export interface ServiceProviderProps extends ServiceAddresses {
  /** The service's `fetch`. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>
  /** The first key that the service accepts. */
  readonly apiKey: string
  /** Keeps the rate limits of this service apart from those of other tests. */
  readonly rateLimitStore: CheckedStore & { readonly inMemory: true }
}
