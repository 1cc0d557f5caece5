import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Connects a handler of web requests to a Node server: `createServer(nodeListener(handle))`. In Express, use
 * `app.all('/api/*path', nodeListener(handle))` before any middleware that reads bodies.
 */
export function nodeListener(handle: (request: Request) => Promise<Response>): RequestListener {
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const disconnection = new AbortController()
    outgoing.once('close', () => disconnection.abort())
    const { method = 'GET', url = '/', headersDistinct } = incoming
    const init: RequestInit & { duplex: 'half' } = {
      method,
      headers: Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [name, values.join()]),
      // The cast is safe: Node has its own type for the same stream.
      body: method === 'GET' || method === 'HEAD' ? null : (Readable.toWeb(incoming) as ReadableStream),
      duplex: 'half',
      signal: disconnection.signal,
    }
    // A fixed host, because a `Host` header could contain a path.
    const response = await handle(new Request(`http://localhost${url}`, init))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.text())
  }

  return (incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy())
  }
}
