import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Puts a handler of web requests on a server of Node, `createServer(nodeListener(handle))`, or into Express,
 * `app.all('/api/*path', nodeListener(handle))`, before anything that reads bodies.
 */
export function nodeListener(handle: (request: Request) => Promise<Response>): RequestListener {
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    const { method = 'GET', url = '/', headersDistinct } = incoming
    const init: RequestInit & { duplex: 'half' } = {
      method,
      headers: Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [name, values.join()]),
      // Node has a type of its own for the very same stream.
      body: method === 'GET' || method === 'HEAD' ? null : (Readable.toWeb(incoming) as ReadableStream),
      duplex: 'half',
      signal: gone.signal,
    }
    // The Host header may hold anything, also what would make another path.
    const response = await handle(new Request(`http://localhost${url}`, init))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.text())
  }
  return (incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy())
  }
}
