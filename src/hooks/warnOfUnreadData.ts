import { developmentWarning } from '../client/developmentWarning.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { isDevelopment } from '../contract/configError.ts'

/** How the keys of all clients that providers of this page have had begin in the SWR cache. */
const known = new Set<string>()

const advice =
  isDevelopment &&
  'The fallback of SWR has data of a cacheScope that no <PetstoreProvider> of this page has, so nothing shows them, and ' +
    'the page loads them again. Give the provider and the client that prepares the data the same cacheScope. Without one, ' +
    'a client has a random scope, also the client of a handler (createPetstoreHandler). See "Render on a server".'

/** For development: remembers which prepared data a reader can find. */
export function noteScope({ cacheScope }: PetstoreClient): void {
  known.add(`@"petstore",${JSON.stringify(cacheScope)},`)
}

/** For development: warns of data that were prepared for a page (`prefetchCategories`), and that no reader can find. */
export function warnOfUnreadData(fallback: Readonly<Record<string, unknown>> | undefined): void {
  const isUnread = (key: string) =>
    key.startsWith('@"petstore",') && ![...known].some((beginning) => key.startsWith(beginning))
  if (advice && Object.keys(fallback ?? {}).some(isUnread)) developmentWarning(advice)
}
