import { isGeneratedScope } from '../client/cacheKey.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** Names something of a client's user in `sessionStorage`, without a generated scope: the next page would have another. */
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
