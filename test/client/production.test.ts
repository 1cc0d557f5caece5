import { build } from 'esbuild'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { failureOf, json } from './client.setup.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'

beforeEach(() => {
  vi.resetModules()
  vi.stubEnv('NODE_ENV', 'production')
})
afterEach(() => vi.unstubAllEnvs())

test.each([
  [{ baseUrl: 'petstore.test' }, 'baseUrl cannot be used.'],
  [{ baseUrl: '/v1', timeout: 0 }, 'timeout cannot be used.'],
  [{ baseUrl: '/v1', plan: { limit: 0, per: 1 } }, 'plan cannot be used.'],
])('production rejects %j with a short message', async (options, message) => {
  const { createPetstoreClient } = await import('../../src/client.ts')
  expect(() => createPetstoreClient(options)).toThrow(new TypeError(message))
})

test.each([
  ['bad-request (400) The service says: No. (some_code)', () => body(400)],
  ['authentication (401) The service says: No. (some_code)', () => body(401)],
  ['rate-limit (429) The service says: No. (some_code)', () => body(429)],
  ['server (503) The service says: No. (some_code)', () => body(503)],
  ['unexpected-status (404)', () => new Response(null, { status: 404 })],
  ['response-validation: expected an array', () => json({})],
  ['network', () => Promise.reject(new TypeError('fetch failed'))],
])('in production the message of an error is short: %s', async (message, fetch) => {
  const { createPetstoreClient } = await import('../../src/client.ts')
  const client = createPetstoreClient({
    baseUrl: 'https://petstore.test/v1',
    rateLimitStore: createMemoryStore(),
    retry: { attempts: 1, maxWait: 0 },
    fetch: async () => fetch(),
  })
  expect(await failureOf(client.listCategories())).toMatchObject({ message: `listCategories: ${message}` })
})

const body = (status: number) => json({ code: 'some_code', message: 'No.', status }, status)

test('a production bundle contains no text for developers', async () => {
  const bundle = async (mode: string) => {
    const { outputFiles } = await build({
      entryPoints: ['src/client.ts'],
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      packages: 'external',
      define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    })
    return outputFiles[0]?.text ?? ''
  }
  const texts = [
    'Access-Control-Expose-Headers',
    'Write "https://',
    'is deprecated',
    'milliseconds',
    'rate-limit store',
    'Jest',
    'The service refused',
    'The rate limit is used up',
    'No response',
    'The input is not valid',
    'white space',
  ]
  const found = (bundled: string) => texts.filter((developerText) => bundled.includes(developerText))
  expect(found(await bundle('development'))).toEqual(texts)
  expect(found(await bundle('production'))).toEqual([])
})
