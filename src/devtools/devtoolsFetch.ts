import { isDevelopment } from '../base/development.ts'
import { createFaultyFetch } from './faultyFetch.ts'
import { globalFetch } from './globalFetch.ts'

/**
 * Returns a `fetch` for the provider whose next request fails or is slow when a developer asks for it in the panel. All
 * others go through `fetch` unchanged. Create it once, outside of components. In production bundles it returns `fetch`.
 *
 * @param fetch - default: the global `fetch`
 */
export function createDevtoolsFetch(
  fetch: (request: Request) => Promise<Response> = globalFetch,
): (request: Request) => Promise<Response> {
  return isDevelopment && process.env.NODE_ENV !== 'production' ? createFaultyFetch(fetch) : fetch
}

/** The global `fetch` as `createDevtoolsFetch` returns it, for the provider: `fetch={devtoolsFetch}`. */
export const devtoolsFetch: (request: Request) => Promise<Response> = createDevtoolsFetch()
