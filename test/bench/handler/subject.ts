import { once } from 'node:events'
import { Agent, createServer, request as sendRequest, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as server from '../../../src/server.ts'

/*
 * One server of the benchmark, in a process of its own: the service, a plain forwarder, or the handler of a build.
 *
 *     node subject.js service
 *     node subject.js forwarder <address of the service>
 *     node subject.js <folder of a build> <address of the service>
 *
 * It sends its port to its parent, and the ms of CPU time that it has used whenever the parent asks.
 */

const [kind = '', service = ''] = process.argv.slice(2)

const rows = JSON.stringify(
  Array.from({ length: 30 }, (_, id) => ({ id, name: `Category ${id}`, description: `All about number ${id}.` })),
)

const respond: RequestListener = (_, response) => {
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'X-RateLimit-Limit': '100000000',
    'X-RateLimit-Remaining': '99000000',
    'X-RateLimit-Reset': String(Math.floor(Date.now() / 1_000) + 3_600),
  })
  response.end(rows)
}

/** What an app writes itself that forwards requests with its key, and nothing else. */
function createForwarder(): RequestListener {
  const agent = new Agent({ keepAlive: true })
  return ({ method, url = '' }, outgoing) => {
    const address = service + url.replace('/api/petstore/v1', '')
    const headers = { Authorization: 'Bearer demo', Accept: 'application/json' }
    const upstream = sendRequest(address, { agent, method, headers }, (incoming) => {
      outgoing.writeHead(incoming.statusCode ?? 502, { 'Content-Type': incoming.headers['content-type'] })
      incoming.pipe(outgoing)
    })
    upstream.on('error', () => outgoing.writeHead(502).end())
    upstream.end()
  }
}

async function createHandler(): Promise<RequestListener> {
  const { href } = pathToFileURL(join(kind, 'dist/server.js'))
  const { createPetstoreHandler, toNodeHandler }: typeof server = await import(href)
  return toNodeHandler(
    createPetstoreHandler({
      baseUrl: service,
      apiKey: 'demo',
      authorize: ({ headers }) => headers.get('Cookie') ?? 401,
    }),
  )
}

const listener = kind === 'service' ? respond : kind === 'forwarder' ? createForwarder() : await createHandler()
const listening = createServer(listener).listen(0, '127.0.0.1')
// A connection that rests while others have their turn must not be closed just when it is used again.
listening.keepAliveTimeout = 60_000
await once(listening, 'listening')
const address = listening.address()
process.send?.(typeof address === 'object' ? address?.port : undefined)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1_000)
})
process.on('disconnect', () => process.exit())
