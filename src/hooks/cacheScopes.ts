/** Returns the cache scope for an owner: the requested one, or a variation of it if another owner has taken it. */
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
  const owners = new Map<string, string>()
  return (requested, owner) => {
    let scope = requested
    for (let suffix = 1; (owners.get(scope) ?? owner) !== owner; suffix += 1) scope = `${requested}~${suffix}`
    owners.set(scope, owner)
    return scope
  }
}
