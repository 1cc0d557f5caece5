import { respond } from './respond.ts'

// Cloudflare Workers expect a default export.
// oxlint-disable-next-line import/no-default-export
export default {
  fetch: (
    request: Request,
    _environment: unknown,
    context: { readonly waitUntil: (work: Promise<unknown>) => void },
  ): Promise<Response> => respond(request, context),
}
