import { isGeneratedScope } from '../client/cacheKey.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'

/**
 * The name in the tab's storage of something that belongs to the user of a client. A generated scope ends with the page, so
 * what outlives the page has none.
 */
export function storedName({ scope }: PetstoreClient, name: string): string {
  return `petstore:${isGeneratedScope(scope) ? '' : encodeURIComponent(scope)}:${name}`
}

/** Removes all that is stored in this tab for the user of a client. */
export function removeStored(client: PetstoreClient): void {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(storedName(client, '')))
    for (const name of names) sessionStorage.removeItem(name)
  } catch {
    // Where nothing may be read, nothing was stored.
  }
}
