import { developmentWarning, isDevelopment } from '../base/development.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { PetstoreClient } from './PetstoreClient.ts'
import { randomId } from '../base/ids.ts'

/** A key in the SWR cache. SWR stores keys as readable text, so they hold neither the API key nor the address. */
export type CacheKey = readonly ['petstore', scope: string, operation: string, input: unknown]

/** The key holds the scope, so the data of one scope is never shown under another. */
export function cacheKey({ scope }: Pick<PetstoreClient, 'scope'>, operation: Operation, input: unknown): CacheKey {
  return ['petstore', scope, operationKey(operation), input ?? null]
}

/** Method and address of the first operation of each name. */
const addressesByName = new Map<string, string>()

/** The operation's name, and its address if another operation has the same name by mistake: their data must not mix. */
export function operationKey({ name, method, base, path }: Operation): string {
  const address = method + base + path
  const known = addressesByName.get(name) ?? address
  addressesByName.set(name, known)
  if (isDevelopment && process.env.NODE_ENV !== 'production' && known !== address) {
    developmentWarning(`Two operations are called "${name}". One of them is ${method} ${path}. Give each its own name.`)
  }
  return known === address ? name : name + address
}

/** The key of the time at which prefetched data were loaded. */
export function loadedAtKey(serializedKey: string): string {
  return `${serializedKey}loadedAt`
}

/** Serializes a key as SWR does, if JSON can hold the key. SWR's own function would also load React. */
export function serializeKey(value: unknown): string {
  if (Array.isArray(value)) return `@${value.map((item) => `${serializeKey(item)},`).join('')}`
  if (value instanceof Date) return value.toJSON()
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const sorted = fields.sort(([one], [other]) => (one < other ? 1 : -1))
  return `#${sorted.map(([name, field]) => `${name}:${serializeKey(field)},`).join('')}`
}

const pageScopesSymbol = Symbol.for('petstore-react.page-scopes')

/** A unique scope with the page's id: by it, later pages recognize unreachable data in a persistent cache. */
export function generateScope(name?: string): string {
  const page = pageScopes()
  page.count += 1
  return `page_${page.id}_${name ?? page.count}`
}

export function isGeneratedScope(scope: string): boolean {
  return scope.startsWith(`page_${pageScopes().id}_`)
}

/** Whether a key of the SWR cache belongs to a scope that an earlier page generated. */
export function isOrphanedKey(serializedKey: string): boolean {
  const owner = /^@"petstore","page_([0-9a-z]+)_/.exec(serializedKey)?.[1]
  return owner !== undefined && owner !== pageScopes().id
}

/** The page's or process's id, and its count of scopes. Global: two copies of the package may share one SWR cache. */
function pageScopes(): { readonly id: string; count: number } {
  const globals: typeof globalThis & { [pageScopesSymbol]?: ReturnType<typeof pageScopes> } = globalThis
  // Not random on a server, where no cache outlives the process: a prerender must not depend on chance.
  return (globals[pageScopesSymbol] ??= { id: typeof window === 'undefined' ? 'server' : randomId(), count: 0 })
}
