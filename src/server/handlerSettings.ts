import { checkBaseUrl } from '../client/buildRequest.ts'
import { configError, isDevelopment } from '../base/development.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { documentedOperations } from '../contract/operations.ts'
import type { CacheRule, PetstoreHandlerOptions } from './PetstoreHandlerOptions.ts'
import type { OriginRules } from './requestOrigin.ts'

/** A rule with all defaults filled in. */
export type CacheSettings = { readonly [Field in keyof CacheRule]-?: NonNullable<CacheRule[Field]> }

/** The handler's own options, checked, with defaults filled in. */
export interface HandlerSettings {
  readonly operations: readonly Operation[]
  readonly basePath: string
  readonly cacheRules: ReadonlyMap<string, CacheSettings>
  readonly originRules: OriginRules
  /** Bytes. */
  readonly maxBodySize: number
  /** Bytes. */
  readonly maxCacheSize: number
  /** Calls. */
  readonly maxQueued: number
}

/** @throws TypeError when an option cannot be used, saying what to write instead */
export function readHandlerSettings({
  baseUrl,
  quickstartBaseUrl,
  basePath = '/api/petstore',
  operations = [],
  cache = {},
  allowedOrigins = [],
  allowUnmarkedRequests = false,
  maxBodySize = 100_000,
  maxCacheSize = 20_000_000,
  maxQueued = 1_000,
}: PetstoreHandlerOptions): HandlerSettings {
  for (const [option, address] of Object.entries({ baseUrl, quickstartBaseUrl })) {
    if (address?.startsWith('/')) throw configError(option, isDevelopment && 'is root-relative. A server needs a host.')
  }
  if (!basePath.startsWith('/')) throw configError('basePath', isDevelopment && 'starts with "/", as "/api/petstore".')
  for (const [option, size] of Object.entries({ maxBodySize, maxCacheSize })) {
    if (!(size > 0)) throw configError(option, isDevelopment && 'is a number of bytes above 0.')
  }
  if (!(maxQueued > 0)) throw configError('maxQueued', isDevelopment && 'is a number of calls above 0.')
  const available = [...Object.values<Operation>(documentedOperations), ...operations].filter(
    ({ base }) => base === 'service' || quickstartBaseUrl !== undefined,
  )
  return {
    operations: available,
    basePath: checkBaseUrl(basePath, 'basePath', ''),
    cacheRules: readCacheRules(cache, available),
    originRules: { allowedOrigins: new Set(allowedOrigins.map(readOrigin)), allowUnmarkedRequests },
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
      throw configError(`cache.${name}`, isDevelopment && 'needs numbers of milliseconds, 0 or more.')
    }
    if (!operations.some((operation) => operation.name === name && operation.method === 'GET')) {
      throw configError(`cache.${name}`, isDevelopment && 'names no GET that this handler has.')
    }
    checked.set(name, { maxAge, staleWhileRevalidate, shared })
  }
  return checked
}

function readOrigin(text: string): string {
  // A URL without a host, such as `about:blank`, has the origin "null", which sandboxed pages send.
  if (!/^https?:/.test(text) || !URL.canParse(text) || new URL(text).origin !== text) {
    throw configError('allowedOrigins', isDevelopment && `holds "${text}". Write "https://host" without a path.`)
  }
  return text
}
