import { generateScope } from '../client/generateScope.ts'

/** Returns the cache scope for an owner: the requested one, or a generated one if another owner has taken it. */
type AssignScope = (requested: string, owner: string) => string

const assignScopeSymbol = Symbol.for('petstore-react.cache-scopes')

/**
 * The cache scope for this address and key. Only the first pair that requests a scope gets it unchanged: another one
 * must not meet its data.
 */
export function uniqueCacheScope(
  requested: string | undefined,
  baseUrl: string,
  apiKey: string | undefined,
): string | undefined {
  if (requested === undefined) return undefined
  // Global, because two copies of the package may share one SWR cache. A function, because it does not expose the keys.
  const globals: typeof globalThis & { [assignScopeSymbol]?: AssignScope } = globalThis
  globals[assignScopeSymbol] ??= createAssignScope()
  return globals[assignScopeSymbol](requested, JSON.stringify([baseUrl, apiKey]))
}

function createAssignScope(): AssignScope {
  const firstOwners = new Map<string, string>()
  const generated = new Map<string, string>()
  return (requested, owner) => {
    const firstOwner = firstOwners.get(requested) ?? owner
    firstOwners.set(requested, firstOwner)
    if (firstOwner === owner) return requested
    const pair = JSON.stringify([requested, owner])
    const scope = generated.get(pair) ?? generateScope(`${requested}~${generated.size + 1}`)
    generated.set(pair, scope)
    return scope
  }
}
