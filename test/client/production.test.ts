import { build } from 'esbuild'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.stubEnv('NODE_ENV', 'production')
})
afterEach(() => vi.unstubAllEnvs())

test.each([
  [{ baseUrl: 'petstore.test' }, 'baseUrl cannot be used.'],
  [{ baseUrl: '/v1', timeout: 0 }, 'timeout cannot be used.'],
  [{ baseUrl: '/v1', plan: { limit: 0, per: 1 } }, 'plan cannot be used.'],
])('in production %j is refused in few words', async (options, message) => {
  const { createPetstoreClient } = await import('../../src/client.ts')
  expect(() => createPetstoreClient(options)).toThrow(new TypeError(message))
})

test('bundles for production hold no words for developers', async () => {
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
  const words = [
    'Access-Control-Expose-Headers',
    'Write "https://',
    'is deprecated',
    'milliseconds',
    'rate-limit store',
  ]
  const found = (text: string) => words.filter((word) => text.includes(word))
  expect(found(await bundle('development'))).toEqual(words)
  expect(found(await bundle('production'))).toEqual([])
})
