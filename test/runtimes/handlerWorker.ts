import { createPetstoreHandler, type HandlerContext } from '../../src/server.ts'

/** The service's base addresses. The bundler writes them. */
declare const baseUrl: string
declare const quickstartBaseUrl: string

// One handler for all requests to the worker.
const handler = createPetstoreHandler({
  baseUrl,
  quickstartBaseUrl,
  apiKey: 'demo',
  timeout: 2_000,
  retry: { maxWait: 20_000 },
  authorize: ({ headers }) => (headers.get('Cookie') === 'session=ann' ? 'ann' : 401),
  cache: { listCategories: { maxAge: 0, staleWhileRevalidate: 60_000 } },
  allowedOrigins: ['https://partner.test'],
})

// Cloudflare Workers expect a default export.
// oxlint-disable-next-line import/no-default-export
export default {
  fetch: (request: Request, _environment: unknown, context: HandlerContext): Promise<Response> =>
    handler(request, context),
}
