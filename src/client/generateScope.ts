import { randomId } from '../base/ids.ts'

interface PageScopes {
  /** The id of the page or process. */
  readonly id: string
  /** How many scopes have been generated. */
  count: number
}

const pageScopesSymbol = Symbol.for('petstore-react.page-scopes')

/**
 * A cache scope that nothing else on the page or in the process has. It contains the id of the page: in a cache that
 * persists, later pages recognize data that nobody can read anymore.
 */
export function generateScope(name?: string): string {
  const page = pageScopes()
  page.count += 1
  return `page_${page.id}_${name ?? page.count}`
}

/** Whether a key of the SWR cache belongs to a scope that an earlier page generated. */
export function isOrphanedKey(serializedKey: string): boolean {
  const owner = /^@"petstore","page_([0-9a-z]+)_/.exec(serializedKey)?.[1]
  return owner !== undefined && owner !== pageScopes().id
}

/** Global, because two copies of the package may share one SWR cache. */
function pageScopes(): PageScopes {
  const globals: typeof globalThis & { [pageScopesSymbol]?: PageScopes } = globalThis
  // A prerender must not depend on chance, and no cache outlives a server's process.
  return (globals[pageScopesSymbol] ??= { id: typeof window === 'undefined' ? 'server' : randomId(), count: 0 })
}
