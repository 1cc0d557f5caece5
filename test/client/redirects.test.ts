import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createPetstoreClient, UnexpectedStatusError } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { failureOf } from './client.setup.ts'

/** Two origins. The configured one always redirects. */
let configured: Server
let other: Server
let location = ''
let status = 0
const atConfigured: IncomingMessage[] = []
const atOther: IncomingMessage[] = []

const originOf = (server: Server) => {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}
const start = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

beforeAll(async () => {
  configured = createServer((request, response) => {
    atConfigured.push(request)
    response.writeHead(status, location === '' ? {} : { Location: location }).end()
  })
  other = createServer((request, response) => {
    atOther.push(request)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]')
  })
  await Promise.all([start(configured), start(other)])
})

afterAll(() => {
  for (const server of [configured, other]) {
    server.close()
    server.closeAllConnections()
  }
})

beforeEach(() => {
  atConfigured.length = 0
  atOther.length = 0
})

const targets: readonly [string, () => string][] = [
  ['the same origin', () => '/v1/moved'],
  ['another origin', () => `${originOf(other)}/v1/categories`],
  ['the same address', () => '/v1/categories'],
  ['no address', () => ''],
]

test.each([301, 302, 303, 307, 308].flatMap((code) => targets.map(([to, target]) => [code, to, target] as const)))(
  'a redirect (%d) to %s is not followed',
  async (code, _, target) => {
    status = code
    location = target()
    const client = createPetstoreClient({
      baseUrl: `${originOf(configured)}/v1`,
      quickstartBaseUrl: originOf(configured),
      apiKey: 's3cret',
      rateLimitStore: createMemoryStore(),
    })
    for (const [outcome, call] of [
      ['not-applied', () => client.listCategories()],
      ['unknown', () => client.createCategory({ name: 'Dog' })],
      ['unknown', () => client.sendMessage({ message: 'Hello' })],
    ] as const) {
      const error = await failureOf(call())
      expect(error).toBeInstanceOf(UnexpectedStatusError)
      expect(error).toMatchObject({ status: code, attempts: 1, outcome })
      expect(String(error)).toMatch(/redirect, which is never followed/)
    }
    expect(atConfigured.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v1/categories',
      'POST /v1/categories',
      'POST /messages',
    ])
    expect(atOther).toEqual([])
  },
)

test('redirects whose status a browser hides do not count as failures: no call waits after them', async () => {
  vi.stubGlobal('location', new URL('https://app.test')) // servers count no failures
  onTestFinished(() => void vi.unstubAllGlobals())
  const client = createPetstoreClient({
    baseUrl: 'https://petstore.test/v1',
    apiKey: 's3cret',
    rateLimitStore: createMemoryStore(),
    fetch: async () => Response.error(), // as opaque as a hidden redirect
    retry: { maxWait: 0 },
  })
  for (let calls = 0; calls < 3; calls += 1) {
    expect(await failureOf(client.createCategory({ name: 'Dog' }))).toMatchObject({ status: 0, attempts: 1 })
  }
})
