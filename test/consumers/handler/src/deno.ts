import { handler, port } from './handler.js'

/** The part of Deno's global object that this app uses. */
declare const Deno: {
  readonly serve: (
    options: { readonly hostname: string; readonly port: number },
    handle: (request: Request) => Promise<Response>,
  ) => unknown
}

Deno.serve({ hostname: '127.0.0.1', port }, (request) => handler(request))
