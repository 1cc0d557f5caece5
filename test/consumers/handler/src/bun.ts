import { handler, port } from './handler.js'

/** The part of Bun's global object that this app uses. */
declare const Bun: {
  readonly serve: (options: {
    readonly hostname: string
    readonly port: number
    readonly fetch: (request: Request) => Promise<Response>
  }) => unknown
}

Bun.serve({ hostname: '127.0.0.1', port, fetch: (request) => handler(request) })
