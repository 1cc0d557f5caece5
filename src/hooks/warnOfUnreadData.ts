import { developmentWarning, isDevelopment } from '../base/development.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** The scopes of all clients that providers of this page have had, as JSON. */
const providerScopes = new Set<string>()

const advice =
  isDevelopment &&
  'The fallback of SWR contains data for a scope that no <PetstoreProvider> of this page uses, so it is ignored and ' +
    'loaded again. Give the provider and the client that prefetches the same scope, or pass the scope of the provider ' +
    'to prefetchQuery. A client without a scope gets a random one, as the client of createPetstoreHandler does. ' +
    'See "Render on a server".'

/** For development: records the scope of a provider's client. */
export function noteScope({ scope }: PetstoreClient): void {
  providerScopes.add(JSON.stringify(scope))
}

/** For development: warns of data that were prefetched for a page (`prefetchQuery`) and that no component can read. */
export function warnOfUnreadData(fallback: Readonly<Record<string, unknown>> | undefined): void {
  if (!advice) return
  for (const key of Object.keys(fallback ?? {})) {
    // SWR writes our keys as `@"petstore","<scope>",…`.
    const scope = /^@"petstore",("(?:[^"\\]|\\.)*"),/.exec(key)?.[1]
    if (scope === undefined || providerScopes.has(scope)) continue
    const scopes = `Scope of the data: ${scope}. Of the providers: ${[...providerScopes].join(', ')}.`
    developmentWarning(`${advice} ${scopes}`, `data of the scope ${scope}`)
  }
}
