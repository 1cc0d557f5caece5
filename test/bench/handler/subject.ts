import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type * as server from '../../../src/server.ts'

/*
 * One server of the benchmark, in a process of its own.
 *
 *     node subject.js service
 *     node subject.js fetch <address of the service>
 *     node subject.js <handler, or handler, authorize> <address of the service> <folder of a build>
 *
 * It sends its port to its parent, and the ms of CPU time that it has used whenever the parent asks.
 */

/** Where the forwarder and the handlers take requests. */
const basePath = '/api/petstore/v1'

const [kind = '', service = '', build = ''] = process.argv.slice(2)
const key = 'demo'

const rows = JSON.stringify(
  Array.from({ length: 30 }, (_, id) => ({ id, name: `Category ${id}`, description: `All about number ${id}.` })),
)
let lastId = 30

const respond: RequestListener = async (request, response) => {
  const isPost = request.method === 'POST'
  const body = isPost ? JSON.stringify({ ...JSON.parse(await text(request)), id: (lastId += 1) }) : rows
  response.writeHead(isPost ? 201 : 200, {
    'Content-Type': 'application/json',
    'X-RateLimit-Limit': '100000000',
    'X-RateLimit-Remaining': '99000000',
    'X-RateLimit-Reset': String(Math.floor(Date.now() / 1_000) + 3_600),
  })
  response.end(body)
}

const addressOf = (url = '') => service + url.replace(basePath, '')

/** What an app writes itself that forwards requests with its key, and nothing else. */
const forwardByFetch: RequestListener = async (incoming, outgoing) => {
  const { method = 'GET', url } = incoming
  const headers = { Accept: 'application/json', Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = method === 'GET' ? null : await text(incoming)
  const response = await fetch(addressOf(url), { method, headers, body })
  outgoing.writeHead(response.status, { 'Content-Type': response.headers.get('Content-Type') ?? '' })
  outgoing.end(await response.text())
}

async function createHandler(options: { readonly hasUsers: boolean }): Promise<RequestListener> {
  const { href } = pathToFileURL(join(build, 'dist/server.js'))
  const { createPetstoreHandler, toNodeHandler }: typeof server = await import(href)
  const handler = createPetstoreHandler({
    baseUrl: service,
    apiKey: key,
    authorize: options.hasUsers ? ({ headers }) => headers.get('Cookie') ?? 401 : 'everybody',
  })
  return toNodeHandler(handler)
}

const listeners: Readonly<Record<string, () => RequestListener | Promise<RequestListener>>> = {
  service: () => respond,
  fetch: () => forwardByFetch,
  handler: () => createHandler({ hasUsers: false }),
  'handler, authorize': () => createHandler({ hasUsers: true }),
}

const createListener = listeners[kind]
if (!createListener) throw new Error(`There is no ${kind}.`)
const listening = createServer(await createListener()).listen(0, '127.0.0.1')
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
