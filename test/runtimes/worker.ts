import { createPetstoreClient, isPetstoreError } from '../../src/client.ts'

/** The service's base address. The bundler writes it. */
declare const baseUrl: string

// One client for all requests to the worker. No request may leave anything in it that belongs to that request alone.
const client = createPetstoreClient({ baseUrl, apiKey: 'demo', timeout: 2_000, retry: { maxWait: 20_000 } })

// Cloudflare Workers expect a default export.
// oxlint-disable-next-line import/no-default-export
export default {
  fetch: async (request: Request): Promise<Response> => {
    const { searchParams } = new URL(request.url)
    const name = searchParams.get('create')
    const controller = new AbortController()
    try {
      const call =
        name === null ? client.listCategories({ signal: controller.signal }) : client.createCategory({ name })
      if (searchParams.has('abort')) controller.abort()
      const result = await call
      return Response.json(result)
    } catch (error) {
      const text = isPetstoreError(error) ? `${error.message} ${String(error.cause)}` : String(error)
      return new Response(text, { status: 500 })
    }
  },
}
