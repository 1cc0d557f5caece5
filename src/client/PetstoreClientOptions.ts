import { paceOf, type Plan } from '../rate-limit/plan.ts'
import type { RateLimitStore } from '../rate-limit/RateLimitStore.ts'
import type { ApiKey } from './apiKey.ts'
import type { PetstoreEvent } from './PetstoreEvent.ts'
import { checkOption, isDevelopment } from '../base/development.ts'
import { checkBaseUrl } from './buildRequest.ts'

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
   * Replaces the global `fetch`. Called with a `Request`, and with its parts as options: the `fetch` of another
   * library, such as `undici`, does not know the global `Request`, and takes only the address from it.
   */
  readonly fetch?: ((request: Request, init: RequestInit) => Promise<Response>) | undefined
  /**
   * The key's plan: how fast to send while the rate-limit headers of the service cannot be read. Default `free`, the
   * smallest: 60 requests a minute.
   */
  readonly plan?: Plan | undefined
  /** Keeps the state of the quota. Default: in browsers a store of all tabs that survives reloads, else memory. */
  readonly rateLimitStore?: RateLimitStore | undefined
  /**
   * Names the client's part of the SWR cache. Default: a random name, so that no client shows the data of another one. Its
   * data then leave the cache when the last provider unmounts, and a persistent cache when the next page loads. Set it where
   * a server prepares the data, where a cache should outlive the page, or where the user behind an `apiKey` function changes.
   * Give each user another scope, and never put the key in it.
   */
  readonly scope?: string | undefined
  /**
   * Called when a request leaves, ends, waits or is tried again. Use it for logging and metrics. What it throws goes to
   * `reportError`, or to `console.error` where there is none.
   */
  readonly onEvent?: ((event: PetstoreEvent) => void) | undefined
}

/** The plain options of a client, checked, with defaults filled in. */
export type ClientSettings = ReturnType<typeof readClientOptions>

/** How long one request may take, in ms. */
export const defaultTimeout = 30_000

/** @throws TypeError when an address or option cannot be used; in development it says what to write instead */
export function readClientOptions({
  baseUrl,
  quickstartBaseUrl,
  timeout = defaultTimeout,
  maxResponseSize = 100_000_000,
  retry: { attempts = 3, maxWait = 65_000 } = {},
  plan,
}: PetstoreClientOptions) {
  checkOption(timeout > 0, 'timeout', isDevelopment && 'is a number of milliseconds above 0, or Infinity.')
  checkOption(maxResponseSize > 0, 'maxResponseSize', isDevelopment && 'is a number of bytes above 0, or Infinity.')
  const isCount = Number.isInteger(attempts) && attempts > 0
  checkOption(isCount, 'retry.attempts', isDevelopment && 'is a whole number above 0.')
  checkOption(maxWait >= 0, 'retry.maxWait', isDevelopment && 'is a number of milliseconds, 0 or more, or Infinity.')
  return {
    addresses: {
      service: checkBaseUrl(baseUrl, 'baseUrl', '/v1'),
      quickstart:
        quickstartBaseUrl === undefined ? undefined : checkBaseUrl(quickstartBaseUrl, 'quickstartBaseUrl', ''),
    },
    retry: { attempts, maxWait },
    timeout,
    maxResponseSize,
    pace: paceOf(plan),
  }
}

/** How often and how long a call is tried again. */
export interface RetryOptions {
  /**
   * How many requests a call may send in total if they fail: by the network, the timeout, a 502, 503 or 504, or a
   * success whose body is not JSON. Default 3. Only operations that are `safe` to replay are sent again, never a POST:
   * its response may have been lost after the work was done. Refusals (429) do not count.
   */
  readonly attempts?: number | undefined
  /**
   * How long a call may wait in total, for the request limit and between attempts, in ms. Default 65,000, just over the
   * shortest window of the plans; `Infinity` is allowed. A call that would wait longer rejects at once. A request
   * leaves within this time, or within five seconds after it came to the gate: enough for the first response of a key.
   */
  readonly maxWait?: number | undefined
}
