import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What stands between a process and Redis. */
export interface Proxy {
  readonly url: string
  /** Passes nothing on, and leaves the connections open, as a lost route does. Ends with `pass`. */
  readonly swallow: () => void
  /** Ends all connections, and refuses new ones. Ends with `pass`. */
  readonly refuse: () => void
  /** Passes everything on later, in both directions. In ms. */
  readonly delay: (ms: number) => void
  /** Passes one of so many parts on 300 ms late, as TCP does after a lost packet: what follows waits behind it. */
  readonly lose: (oneOf: number) => void
  /** Passes everything on, also what it has swallowed. */
  readonly pass: () => void
  readonly close: () => void
}

export async function startProxy(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let mode: 'pass' | 'swallow' | 'refuse' = 'pass'
  let latency = 0
  let lostOneOf = 0
  let parts = 0
  let swallowed: (() => void)[] = []

  /** Each chunk keeps its place behind the one before it. */
  function pipe(from: Socket, to: Socket): void {
    let freeAt = 0
    from.on('data', (chunk) => {
      const write = () => {
        parts += 1
        const isLost = lostOneOf > 0 && parts % lostOneOf === 0
        freeAt = Math.max(freeAt, performance.now() + latency + (isLost ? 300 : 0))
        setTimeout(() => void (to.writable && to.write(chunk)), freeAt - performance.now())
      }
      if (mode === 'swallow') swallowed.push(write)
      else write()
    })
    from.on('close', () => to.destroy())
    from.on('error', () => to.destroy())
    sockets.add(from)
  }

  const server = createServer({ noDelay: true }, (socket) => {
    if (mode === 'refuse') {
      socket.destroy()
      return
    }
    const redis = connect({ port, host: '127.0.0.1', noDelay: true })
    pipe(socket, redis)
    pipe(redis, socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }

  return {
    url: `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    swallow: () => {
      mode = 'swallow'
    },
    refuse: () => {
      mode = 'refuse'
      endAll()
    },
    delay: (ms) => {
      latency = ms
    },
    lose: (oneOf) => {
      lostOneOf = oneOf
    },
    pass: () => {
      mode = 'pass'
      latency = 0
      lostOneOf = 0
      for (const write of swallowed) write()
      swallowed = []
    },
    close: () => {
      server.close()
      endAll()
    },
  }
}
