import { isEnd, respond } from './respond.ts'

/** The part of Deno's global object that this program uses. */
declare const Deno: {
  readonly serve: (
    options: {
      readonly hostname: string
      readonly port: number
      readonly onListen: (address: { readonly port: number }) => void
    },
    handle: (request: Request) => Promise<Response>,
  ) => { readonly shutdown: () => Promise<void> }
}

const server = Deno.serve(
  { hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log(JSON.stringify({ port })) },
  async (request) => {
    if (!isEnd(request)) return respond(request)
    void server.shutdown()
    return new Response()
  },
)
