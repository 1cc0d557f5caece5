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
])('production rejects %j with a short message', async (options, message) => {
  const { createPetstoreClient } = await import('../../src/client.ts')
  expect(() => createPetstoreClient(options)).toThrow(new TypeError(message))
})

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
  ]
  const found = (bundled: string) => texts.filter((developerText) => bundled.includes(developerText))
  expect(found(await bundle('development'))).toEqual(texts)
  expect(found(await bundle('production'))).toEqual([])
})
