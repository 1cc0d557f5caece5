import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { PetstoreService } from './createPetstoreService.ts'
import type { ServiceAddresses } from './router.ts'

/** Where to listen. */
export interface ListenOptions {
  /** The port. Default 0: any free port. */
  readonly port?: number
  /** The host. Default `127.0.0.1`, which other machines cannot reach. */
  readonly host?: string
}

/** A service that listens on a port. */
export interface ListeningService extends ServiceAddresses {
  /** The origin, such as `http://127.0.0.1:4010`. */
  readonly origin: string
  /** Stops listening and ends every connection. */
  readonly close: () => Promise<void>
}

/**
 * Serves a service over HTTP on Node, for browsers and other programs.
 *
 * @throws Error of Node (with its `code`, such as `EADDRINUSE`) when the port is not available.
 */
export async function listen(
  service: Pick<PetstoreService, 'fetch' | 'addresses'>,
  { port = 0, host = '127.0.0.1' }: ListenOptions = {},
): Promise<ListeningService> {
  const server = createServer((incoming, outgoing) => {
    // A rejection of the service's fetch simulates a lost connection: the client sees a closed socket.
    respond(service, incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`
  return {
    origin,
    ...service.addresses(origin),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  service: Pick<PetstoreService, 'fetch'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const disconnected = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnected.abort()
  })
  const response = await service.fetch(await toRequest(incoming, disconnected.signal))
  const body = Buffer.from(await response.arrayBuffer())
  // If a reused connection closes without a response, browsers send the request again, even a POST. So none is reused.
  outgoing.shouldKeepAlive = false
  outgoing.writeHead(response.status, [...response.headers].flat())
  outgoing.end(body)
}

async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', url = '/', rawHeaders } = incoming
  const headers = new Headers()
  rawHeaders.forEach((name, index) => {
    if (index % 2 === 0) headers.append(name, rawHeaders[index + 1] ?? '')
  })
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  // The service ignores the origin, and the Host header may contain anything.
  const address = new URL(`http://petstore.test${url.startsWith('/') ? url : '/'}`)
  const body = chunks.length > 0 && method !== 'GET' && method !== 'HEAD' ? Buffer.concat(chunks) : null
  return new Request(address, { method, headers, body, signal })
}
