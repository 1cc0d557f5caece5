import type { Plan } from '../rate-limit/plan.ts'
import type { RateLimitStore } from '../rate-limit/RateLimitStore.ts'
import type { ApiKey } from './apiKey.ts'
import type { PetstoreEvent } from './PetstoreEvent.ts'
import type { RetryOptions } from './retryOptions.ts'

/** The service, the key, and how calls behave. */
export interface PetstoreClientOptions {
  /**
   * The address of the service, production or staging, or a root-relative path to the handler on your own server
   * (`petstore-react/server`). Ends with `/v1` (interface document, "Endpoints").
   */
  readonly baseUrl: string
  /** The separate address of the quickstart request, needed by `sendMessage`. Need not end with `/v1`. */
  readonly quickstartBaseUrl?: string | undefined
  /**
   * The API key, or a function that returns it, called for each call, before each retry, and once after the service
   * refused a key. It may take as long as `timeout`. Sent only in the Authorization header and only to the two addresses.
   * Nothing is shared between keys, so the function can return the key of the current user. Omit it where the
   * handler on your server adds the key.
   */
  readonly apiKey?: ApiKey | undefined
  /** How often and how long a call is tried again. */
  readonly retry?: RetryOptions | undefined
  /**
   * How long one request may take, in ms, including the body of its response. Default 30,000; `Infinity` for no bound.
   * The body of an error (status 400 or higher) is read for a second at most.
   */
  readonly timeout?: number | undefined
  /**
   * How many bytes the body of a response may have after decompression. Default 100,000,000; `Infinity` for no bound. A
   * larger one rejects with a `response-validation` error whose problem is `too-large`. The body of an error is read up to
   * 64 kB; a larger one is left out.
   */
  readonly maxResponseSize?: number | undefined
  /**
   * How many bytes of responses the client keeps to recognize equal ones, whose data stays the same object. Default
   * 5,000,000. A single larger response is not kept.
   */
  readonly responseCacheSize?: number | undefined
  /** Replaces the global `fetch`. Called with a `Request`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * The key's plan: how fast to send while the rate-limit headers of the service cannot be read. Default `free`, the
   * smallest: 60 requests a minute.
   */
  readonly plan?: Plan | undefined
  /**
   * Where the state of the rate limit is kept. Default: in browsers a store that all tabs share and that survives
   * reloads; elsewhere one in memory for the whole process.
   */
  readonly rateLimitStore?: RateLimitStore | undefined
  /**
   * The client's part of the SWR cache. Default: one of its own, so that clients never meet each other's data, which then
   * leave the cache when the last provider unmounts, and a persistent cache when the next page loads. Set it where a server
   * prepares the data, where a cache should outlive the page, or where the user behind an `apiKey` function changes. Give
   * each user another scope, and never put the key in it.
   */
  readonly cacheScope?: string | undefined
  /**
   * Called when a request leaves, ends, waits or is tried again. Use it for logging and metrics. What it throws goes to
   * `reportError`, or to `console.error` where there is none.
   */
  readonly onEvent?: ((event: PetstoreEvent) => void) | undefined
}
