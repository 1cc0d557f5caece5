import { developmentWarning, isDevelopment } from '../base/development.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** The scopes of all clients that providers of this page have had, as JSON. */
const known = new Set<string>()

const advice =
  isDevelopment &&
  'The fallback of SWR has data of a scope that no <PetstoreProvider> of this page has, so nothing shows them, and ' +
    'the page loads them again. Give the provider and the client that prepares the data the same scope, or pass that ' +
    'of the provider to prefetchQuery. Without one, a client has a scope of its own, also the client of a handler ' +
    '(createPetstoreHandler). See "Render on a server".'

/** For development: remembers which prepared data a reader can find. */
export function noteScope({ scope }: PetstoreClient): void {
  known.add(JSON.stringify(scope))
}

/** For development: warns of data that were prepared for a page (`prefetchQuery`), and that no reader can find. */
export function warnOfUnreadData(fallback: Readonly<Record<string, unknown>> | undefined): void {
  if (!advice) return
  for (const key of Object.keys(fallback ?? {})) {
    const scope = /^@"petstore",("(?:[^"\\]|\\.)*"),/.exec(key)?.[1]
    if (scope === undefined || known.has(scope)) continue
    const scopes = `Scope of the data: ${scope}. Of the providers: ${[...known].join(', ')}.`
    developmentWarning(`${advice} ${scopes}`, `data of the scope ${scope}`)
  }
}
