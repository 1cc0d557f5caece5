import { isGeneratedScope } from '../client/cacheKey.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** What is stored is named by its scope. A generated scope ends with the page, so what outlives the page has none. */
function beginningOf({ scope }: PetstoreClient): string {
  return `petstore:${isGeneratedScope(scope) ? '' : encodeURIComponent(scope)}:`
}

/** The name in the tab's storage of something that belongs to the user of a client. */
export function storedName(client: PetstoreClient, name: string): string {
  return beginningOf(client) + name
}

/** Removes all that is stored in this tab for the user of a client. */
export function removeStored(client: PetstoreClient): void {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(beginningOf(client)))
    for (const name of names) sessionStorage.removeItem(name)
  } catch {
    // Where nothing may be read, nothing was stored.
  }
}
