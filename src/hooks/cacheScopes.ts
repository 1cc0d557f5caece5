import { generateScope } from '../client/generateScope.ts'
import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'

/** Returns the cache scope for an owner: the requested one, or a generated one if another owner has taken it. */
type AssignScope = (requested: string, owner: string) => string

const assignScopeSymbol = Symbol.for('petstore-react.cache-scopes')

/**
 * The cache scope for this address and key. Only the first pair that requests a scope gets it unchanged: another one
 * must not meet its data. All functions count as the same key.
 */
export function uniqueCacheScope({ cacheScope, baseUrl, apiKey }: PetstoreClientOptions): string | undefined {
  if (cacheScope === undefined) return undefined
  // Global, because two copies of the package may share one SWR cache. A function, because it does not expose the keys.
  const globals: typeof globalThis & { [assignScopeSymbol]?: AssignScope } = globalThis
  globals[assignScopeSymbol] ??= createAssignScope()
  return globals[assignScopeSymbol](cacheScope, JSON.stringify([baseUrl, apiKey]))
}

function createAssignScope(): AssignScope {
  const scopesByRequest = new Map<string, Map<string, string>>()
  return (requested, owner) => {
    const scopes = scopesByRequest.get(requested) ?? new Map([[owner, requested]])
    scopesByRequest.set(requested, scopes)
    const scope = scopes.get(owner) ?? generateScope(`${requested}~${scopes.size}`)
    scopes.set(owner, scope)
    return scope
  }
}
