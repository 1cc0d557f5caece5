import { createPetstoreClient, type PetstoreClientOptions } from '../../../../src/client.ts'
import { createPetstoreHandler, type PetstoreHandler, type PetstoreHandlerOptions } from '../../../../src/server.ts'
import type { Services } from '../services.ts'

/** The base address of each service. The bundler writes it. */
declare const baseUrls: Readonly<Record<keyof Services, string>>
/** The quickstart address of each service. The bundler writes it. */
declare const quickstartBaseUrls: Readonly<Record<keyof Services, string>>

const clientOf = (service: keyof Services, options: Partial<PetstoreClientOptions> = {}) =>
  createPetstoreClient({ baseUrl: baseUrls[service], apiKey: 'demo', retry: { maxWait: 20_000 }, ...options })

// They exist from the start, for all requests to this server. Nothing may stay in them that belongs to one request alone,
// and creating them may use nothing that a worker has only while it responds.
export const clients = {
  ids: clientOf('ids'),
  wrongKey: clientOf('ids', { apiKey: 'not-a-key' }),
  refused: clientOf('refused'),
  alsoRefused: clientOf('refused'),
  refusedForAnHour: clientOf('refusedForAnHour'),
  // A request goes on after its call was aborted, until there is a response or the time is over.
  slow: clientOf('slow', { timeout: 5_000 }),
  impatient: clientOf('late', { timeout: 200, retry: { attempts: 1 } }),
  busy: clientOf('busy'),
}

const handlerOf = (service: keyof Services, options: Partial<PetstoreHandlerOptions> = {}) =>
  createPetstoreHandler({
    baseUrl: baseUrls[service],
    quickstartBaseUrl: quickstartBaseUrls[service],
    apiKey: 'demo',
    retry: { maxWait: 20_000 },
    authorize: ({ headers }) => (headers.get('Cookie') === 'session=ann' ? 'ann' : 401),
    allowedOrigins: ['https://partner.test'],
    ...options,
  })

const cache = { listCategories: { maxAge: 0, staleWhileRevalidate: 60_000 } }

/** By the first part of the path at which they are mounted. */
export const handlers: Readonly<Record<string, PetstoreHandler>> = {
  api: handlerOf('handler', { cache }),
  reloaded: handlerOf('reloaded', { cache, basePath: '/reloaded', allowUnmarkedRequests: true }),
  visited: handlerOf('visited', { basePath: '/visited', allowUnmarkedRequests: true }),
}
