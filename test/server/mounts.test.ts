import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import express from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreHandler, type PetstoreHandler, toNodeHandler, toRouteHandlers } from '../../src/server.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { listenOn, serverKey } from './handler.setup.ts'
import { handlerScript, type Send } from './handlerScript.ts'

type Mount = (handler: PetstoreHandler) => Promise<Send>

const overHttp =
  (origin: string): Send =>
  async (path, init) =>
    fetch(origin + path, init)

async function listenWithHttp2(handler: PetstoreHandler): Promise<{ origin: string; send: Send }> {
  const server = createHttp2Server(toNodeHandler(handler)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const session = connect(origin)
  onTestFinished(() => {
    session.destroy()
    server.close()
  })
  const send: Send = async (path, { method, headers, body }) => {
    const stream = session.request({ ':path': path, ':method': method, ...headers })
    stream.end(body)
    const [{ ':status': status, etag = '' }] = await once(stream, 'response')
    const text = (await stream.toArray()).join('')
    return new Response(text || null, { status, headers: { etag } })
  }
  return { origin, send }
}

const mounts: Readonly<Record<string, Mount>> = {
  'a fetch handler': async (handler) => async (path, init) => handler(new Request(`https://app.test${path}`, init)),

  'route handlers, as in Next': async (handler) => {
    const handlers = new Map<string, (request: Request) => Promise<Response>>(Object.entries(toRouteHandlers(handler)))
    return async (path, init) => {
      const request = new Request(`https://app.test${path}`, init)
      return handlers.get(request.method)?.(request) ?? new Response(null, { status: 405 })
    }
  },

  'Node’s own server': async (handler) => overHttp(await listenOn(createServer(toNodeHandler(handler)))),

  'Node’s server for HTTP/2': async (handler) => (await listenWithHttp2(handler)).send,

  'Express, for a path': async (handler) => {
    const app = express()
    app.all('/api/petstore/*path', toNodeHandler(handler))
    app.use(express.json()) // where apps have it: before the handler, it would read the bodies
    return overHttp(await listenOn(createServer(app)))
  },

  'Express, below a prefix': async (handler) => {
    const app = express()
    app.use('/api/petstore', toNodeHandler(handler))
    return overHttp(await listenOn(createServer(app)))
  },
}

/** A handler whose service has the same data and time for each mount. */
function createHandler(): PetstoreHandler {
  const service = createPetstoreService({
    keys: [serverKey],
    categories: [{ id: '9007199254740993', name: 'Dög' }],
    firstId: '9223372036854775807',
    now: () => Date.UTC(2026, 0, 1),
  })
  return createPetstoreHandler({
    baseUrl: service.baseUrl,
    quickstartBaseUrl: service.quickstartBaseUrl,
    apiKey: serverKey,
    fetch: service.fetch,
    rateLimitStore: createMemoryStore(),
    authorize: ({ headers }) => (headers.get('Cookie') === 'session=ann' ? 'ann' : 401),
    cache: { listCategories: { maxAge: 60_000 } },
    allowedOrigins: ['https://partner.test'],
  })
}

describe('mounted in', () => {
  test.each(Object.entries(mounts))('%s, it responds as `handlerScript` expects', async (_, mount) => {
    const { steps, expected } = handlerScript
    expect(await steps(await mount(createHandler()))).toEqual(expected)
  })
})

test('over HTTP/2, which has no Host header, only pages of the host in `:authority` may post', async () => {
  const { origin, send } = await listenWithHttp2(createHandler())
  const postFrom = async (page: string) => {
    const headers = { Origin: page, Cookie: 'session=ann', 'Content-Type': 'application/json' }
    const { status } = await send('/api/petstore/v1/categories', { method: 'POST', headers, body: '{"name":"Dog"}' })
    return status
  }
  expect([await postFrom(origin), await postFrom('http://evil.test')]).toEqual([201, 403])
})
