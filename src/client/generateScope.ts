import { randomId } from './randomId.ts'

const pageIdSymbol = Symbol.for('petstore-react.page-id')

/**
 * A cache scope with the id of the page or process that generated it: in a cache that persists, later pages recognize
 * data that nobody can read anymore.
 */
export function generateScope(name: string): string {
  return `page_${pageId()}_${name}`
}

/** Whether a key of the SWR cache belongs to a scope that an earlier page generated. */
export function isOrphanedKey(serializedKey: string): boolean {
  const owner = /^@"petstore","page_([0-9a-z]+)_/.exec(serializedKey)?.[1]
  return owner !== undefined && owner !== pageId()
}

/** Global, because two copies of the package may share one SWR cache. */
function pageId(): string {
  const globals: typeof globalThis & { [pageIdSymbol]?: string } = globalThis
  return (globals[pageIdSymbol] ??= randomId())
}
