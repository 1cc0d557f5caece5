import { isGeneratedScope } from '../client/cacheKey.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** The name in `sessionStorage` for something of the user. A generated scope is left out: the next page has another. */
export function storedName({ scope }: PetstoreClient, name: string): string {
  return `petstore:${isGeneratedScope(scope) ? '' : encodeURIComponent(scope)}:${name}`
}

/** Removes all that is stored in this tab for the user of a client. */
export function removeStored(client: PetstoreClient): void {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(storedName(client, '')))
    for (const name of names) sessionStorage.removeItem(name)
  } catch {
    // If the browser denies access to the storage, nothing was stored.
  }
}
