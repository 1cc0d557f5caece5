import { type ApiKey, isSendableKey } from '../client/apiKey.ts'
import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { checkBaseUrl } from '../client/buildRequest.ts'
import { configError } from '../base/development.ts'
import type { RateLimitStore } from '../rate-limit/RateLimitStore.ts'
import { documentedOperations } from '../contract/operations.ts'

/** How long responses to an operation are kept. */
export interface CacheRule {
  /** How long a response is served without asking the service, in ms. */
  readonly maxAge: number
  /** How long after `maxAge` a response is still served, in ms, while the service is asked in the background. Default 0. */
  readonly staleWhileRevalidate?: number | undefined
  /**
   * Whether all users of one API key share a response. Default `false`: it is kept for the user that `authorize` returned.
   * Set it only if the service responds the same to all of them. Visitors of different keys never share anything.
   */
  readonly shared?: boolean | undefined
}

/** The id of a visitor's user, or the status with which the request is refused. An empty id is refused with 401. */
export type Authorization = string | 401 | 403

/** The service, the key, and what visitors may do. */
export interface PetstoreHandlerOptions extends PetstoreClientOptions {
  /** The address of the service, production or staging. Absolute, and ends with `/v1`. */
  readonly baseUrl: string
  /**
   * The API key, or a function that returns it, called for each request of a visitor once `authorize` has let it pass. It
   * may return the key of that visitor. If it returns no text, the visitor gets a 401. If it fails or returns what no header
   * can carry, the visitor gets a 502, and `onEvent` and the log tell why. A text that cannot be a key throws at once.
   */
  readonly apiKey: ApiKey
  /** The absolute address of the quickstart request. Without it, its operations do not exist for visitors. */
  readonly quickstartBaseUrl?: string | undefined
  /**
   * Where the handler is mounted. Default `/api/petstore`: pages then use `/api/petstore/v1` as `baseUrl` and
   * `/api/petstore/quickstart` as `quickstartBaseUrl`.
   */
  readonly basePath?: string | undefined
  /**
   * Returns whose request it is, for example by the session cookie. Called before the body is read, with the request
   * without its body, and the operation that it asks for. Each user has a share of the quota, and their own kept
   * responses. After `timeout` the visitor gets a 504, and the signal of the request aborts, as it does when the visitor leaves.
   * `'everybody'` instead of a function: whoever opens a page may use the key, and all of them are one user.
   */
  readonly authorize: 'everybody' | ((request: Request, operation: Operation) => Authorization | Promise<Authorization>)
  /**
   * Operations that visitors may use in addition to the documented ones: your own, and those of `operations` whose
   * payloads the interface document does not show (`operations.getPet`, `operations.listOrders`).
   */
  readonly operations?: readonly Operation[] | undefined
  /**
   * Which GETs are kept, by name of the operation. Default: none. Every change through this handler or its `client`
   * drops all kept responses. A change through another process does not.
   *
   * @example { listCategories: { maxAge: 2_000, staleWhileRevalidate: 60_000, shared: true } }
   */
  readonly cache?: Readonly<Record<string, CacheRule>> | undefined
  /** How many bytes all kept responses may take. Default 20,000,000. */
  readonly maxCacheSize?: number | undefined
  /**
   * Other origins whose pages may use the handler, such as `https://app.example.com`. Default: none. Pages of the
   * handler's own origin always may. Requests without `Sec-Fetch-Site` are compared by host: `Origin` with `Host`. If a
   * proxy changes `Host`, name your public origin here. `X-Forwarded-*` headers are never trusted.
   */
  readonly allowedOrigins?: readonly string[] | undefined
  /**
   * Whether a GET passes that does not say where it comes from. Default `false`: a GET without `Sec-Fetch-Site` and
   * `Origin` needs the header `Petstore-Priority`, which the client of a page sends: otherwise, on plain http, a page of
   * another site could spend the quota with images. Set it for curl, jobs and other programs that send no such header, and
   * where people open the address of a GET on plain http.
   */
  readonly allowUnmarkedRequests?: boolean | undefined
  /**
   * How many calls may wait for their turn, of all users of a key together. Default 1,000. Beyond it a call of the user with
   * the most waiting calls is refused with 503 at once: the newest one in the background, or else the newest of all.
   */
  readonly maxQueued?: number | undefined
  /**
   * Headers of the service's responses that visitors get, such as `Deprecation`. Default: none but `X-Request-Id`. The API key
   * is redacted in them, and a kept response keeps the headers that it arrived with.
   */
  readonly exposeHeaders?: readonly string[] | undefined
  /** How many bytes the body of a visitor's request may have. Default 100,000. The body has 10 s to arrive. */
  readonly maxBodySize?: number | undefined
}

/** A rule with all defaults filled in. */
export type CacheSettings = { readonly [Field in keyof CacheRule]-?: NonNullable<CacheRule[Field]> }

/**
 * Untyped code may pass anything, and an option that is missing by mistake may open the handler to everybody.
 *
 * @throws TypeError
 */
function checkUntyped(options: PetstoreHandlerOptions): void {
  const { apiKey, authorize, rateLimitStore }: { readonly [Name in keyof PetstoreHandlerOptions]?: unknown } = options
  if (typeof apiKey !== 'function' && (typeof apiKey !== 'string' || apiKey === '')) {
    throw configError('apiKey', 'is missing or empty. Give the key of this server, or a function that returns it.')
  }
  if (typeof apiKey === 'string' && !isSendableKey(apiKey)) {
    throw configError('apiKey', 'holds white space or a character that a header cannot carry.')
  }
  if (authorize !== 'everybody' && typeof authorize !== 'function') {
    throw configError('authorize', 'is missing. Give a function that names the user of a request, or "everybody".')
  }
  const store: { readonly [Name in keyof RateLimitStore]?: unknown } = Object(rateLimitStore)
  if (rateLimitStore !== undefined && !(typeof store.update === 'function' && typeof store.subscribe === 'function')) {
    throw configError('rateLimitStore', 'is no store. Write `createRedisStore({ client })`, with a client of Redis.')
  }
}

/**
 * The handler's own options, with defaults filled in.
 *
 * @throws TypeError when an option cannot be used; in development it says what to write instead
 */
export function readHandlerSettings(options: PetstoreHandlerOptions) {
  checkUntyped(options)
  const {
    baseUrl,
    quickstartBaseUrl,
    basePath = '/api/petstore',
    operations = [],
    cache = {},
    allowedOrigins = [],
    allowUnmarkedRequests = false,
    exposeHeaders = [],
    maxBodySize = 100_000,
    maxCacheSize = 20_000_000,
    maxQueued = 1_000,
  } = options
  for (const [option, address] of Object.entries({ baseUrl, quickstartBaseUrl })) {
    if (address?.startsWith('/')) throw configError(option, 'is root-relative. A server needs a host.')
  }
  if (!basePath.startsWith('/')) throw configError('basePath', 'must start with "/", as "/api/petstore" does.')
  for (const [option, size] of Object.entries({ maxBodySize, maxCacheSize, maxQueued })) {
    if (!(size > 0)) throw configError(option, 'must be a number above 0.')
  }
  const available = [...Object.values<Operation>(documentedOperations), ...operations].filter(
    ({ base }) => base === 'service' || quickstartBaseUrl !== undefined,
  )
  return {
    operations: available,
    basePath: checkBaseUrl(basePath, 'basePath', ''),
    cacheRules: readCacheRules(cache, available),
    originRules: { allowedOrigins: new Set(allowedOrigins.map(readOrigin)), allowUnmarkedRequests },
    exposedHeaders: ['X-Request-Id', ...exposeHeaders.map(readHeaderName)],
    maxBodySize,
    maxCacheSize,
    maxQueued,
  }
}

function readCacheRules(
  rules: Readonly<Record<string, CacheRule>>,
  operations: readonly Operation[],
): ReadonlyMap<string, CacheSettings> {
  const checked = new Map<string, CacheSettings>()
  for (const [name, rule] of Object.entries(rules)) {
    const { maxAge, staleWhileRevalidate = 0, shared = false } = rule
    if (!(maxAge >= 0 && staleWhileRevalidate >= 0)) {
      throw configError(`cache.${name}`, 'needs numbers of milliseconds, 0 or more.')
    }
    if (!operations.some((operation) => operation.name === name && operation.method === 'GET')) {
      throw configError(`cache.${name}`, 'names no GET that this handler has.')
    }
    checked.set(name, { maxAge, staleWhileRevalidate, shared })
  }
  return checked
}

function readOrigin(text: string): string {
  // A URL without a host, such as `about:blank`, has the origin "null", which sandboxed pages send.
  if (!/^https?:/.test(text) || !URL.canParse(text) || new URL(text).origin !== text) {
    throw configError('allowedOrigins', `holds "${text}". Write "https://host" without a path.`)
  }
  return text
}

/** Headers that HTTP, the handler or its host writes, and cookies, which the service sets for the key, not for a visitor. */
const reservedHeaders =
  /^(?:age|allow|cache-control|connection|date|etag|keep-alive|retry-after|server-timing|set-cookie|trailer|transfer-encoding|upgrade|vary)$|^(?:access-control-|content-|ratelimit|x-content-type-|x-ratelimit-)/i

function readHeaderName(name: string): string {
  if (!/^[\w-]+$/.test(name) || reservedHeaders.test(name)) {
    throw configError('exposeHeaders', `holds "${name}", which cannot be passed on.`)
  }
  return name
}
