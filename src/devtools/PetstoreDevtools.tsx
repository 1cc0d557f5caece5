import type { ReactElement } from 'react'
import { isDevelopment } from '../base/development.ts'
import { DevtoolsButton, DevtoolsPanel, type PetstoreDevtoolsProps } from './DevtoolsPanel.tsx'
import { createFaultyFetch } from './faultyFetch.ts'

/**
 * A button in a corner of the page that opens the panel. Place it beside the app, below the `PetstoreProvider`: it
 * records from when it mounts. Escape closes the panel. In production bundles it is `null`.
 */
export function PetstoreDevtools(props: PetstoreDevtoolsProps): ReactElement | null {
  return isDevelopment && process.env.NODE_ENV !== 'production' ? <DevtoolsButton {...props} /> : null
}

/**
 * Shows what the gate of a client does: the quota, the calls that wait and why, the calls that have ended, the cache,
 * and what the gate knows. Records while it is mounted, or while a `PetstoreDevtools` for the same client is. In
 * production bundles it is `null`.
 */
export function PetstoreDevtoolsPanel(props: PetstoreDevtoolsProps): ReactElement | null {
  return isDevelopment && process.env.NODE_ENV !== 'production' ? <DevtoolsPanel {...props} /> : null
}

/** Looks it up at each call, since tests and tools replace the global `fetch`. */
const globalFetch = (request: Request) => globalThis.fetch(request)

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
export const devtoolsFetch: (request: Request) => Promise<Response> = /* @__PURE__ */ createDevtoolsFetch()
