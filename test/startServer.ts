import { createServer, type RequestListener } from 'node:http'

export interface StartedServer {
  readonly origin: string
  /** Closes the server and ends its connections. */
  readonly close: () => void
}

/** Serves on a free port of this machine. */
export async function startServer(respond: RequestListener, host = '127.0.0.1'): Promise<StartedServer> {
  const server = createServer(respond)
  await new Promise<void>((resolve) => void server.listen(0, host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    origin: `http://${host}:${address.port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const { origin, close } = await startServer(() => {})
  close()
  return Number(new URL(origin).port)
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }

/** The `Content-Type` of a file by its extension. Every other file is HTML. */
export const contentTypeOf = (path: string): string => types[path.split('.').pop() ?? ''] ?? 'text/html'
