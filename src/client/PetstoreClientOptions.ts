import type { Plan } from '../rate-limit/plan.ts'
import type { RateLimitStore } from '../rate-limit/RateLimitStore.ts'
import type { ApiKey } from './apiKey.ts'
import type { PetstoreEvent } from './PetstoreEvent.ts'
import type { RetryOptions } from './retryOptions.ts'

/** How to reach the service. */
export interface PetstoreClientOptions {
  /**
   * The address of the service, production or staging, or a root-relative path to a forwarding server of your own.
   * Ends with `/v1` (interface document, "Endpoints").
   */
  readonly baseUrl: string
  /** The separate address of the quickstart request, needed by `sendMessage`. Need not end with `/v1`. */
  readonly quickstartBaseUrl?: string | undefined
  /**
   * The API key, or a function that gives it, asked for each call, again before a retry, and once when a key was
   * refused. Sent in the Authorization header, to the two addresses only. Leave it out where a forwarding server adds
   * the key.
   */
  readonly apiKey?: ApiKey | undefined
  /** When and how long calls are tried again. */
  readonly retry?: RetryOptions | undefined
  /** How long one request may take, in ms, its body included. Default 30,000; `Infinity` for no bound. */
  readonly timeout?: number | undefined
  /**
   * How large one response may be, in bytes of its body after decompression. Default 100,000,000; `Infinity` for no bound.
   * A larger one is cut off (a page does not take it into its memory), and is a `response-validation` error with the
   * problem `too-large`.
   */
  readonly maxResponseSize?: number | undefined
  /** Used instead of the global `fetch`; takes a `Request`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * The key's plan: how fast to send while the service's own rate-limit headers cannot be read. Default: the smallest,
   * `free`, 60 requests a minute.
   */
  readonly plan?: Plan | undefined
  /**
   * Where the state of the rate limit is kept. Default: in a browser one that all tabs share and that outlives a
   * reload; elsewhere one for the process.
   */
  readonly rateLimitStore?: RateLimitStore | undefined
  /**
   * Names the part of the SWR cache that holds what this client was responded to. Default: random, so that nobody else's
   * data is met there. Give one where data comes prepared from a server, or where the person behind an `apiKey`
   * function changes; it must be another for each person, and must not tell the key.
   */
  readonly cacheScope?: string | undefined
  /** Told what happens, for logs and measurements. */
  readonly onEvent?: ((event: PetstoreEvent) => void) | undefined
}
