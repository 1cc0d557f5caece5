import { isEnd, respond } from './respond.ts'

/** The part of Bun's global object that this program uses. */
declare const Bun: {
  readonly serve: (options: {
    readonly hostname: string
    readonly port: number
    readonly fetch: (request: Request) => Promise<Response>
  }) => { readonly port: number; readonly stop: () => Promise<void> }
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    if (!isEnd(request)) return respond(request)
    void server.stop()
    return new Response()
  },
})
console.log(JSON.stringify({ port: server.port }))
