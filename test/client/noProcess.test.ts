import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** A bundle for no platform at all: nothing replaces `process.env.NODE_ENV`. */
async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: 'src', loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'iife',
    globalName: 'app',
  })
  return outputFiles[0]?.text ?? ''
}

/** The globals of runtimes such as workerd, which have no `process`. */
const webStandards = {
  ...{ AbortController, AbortSignal, DOMException, Headers, Request, Response, ReadableStream, URL, URLSearchParams },
  ...{ TextDecoder, TextEncoder, atob, btoa, console, crypto, performance, queueMicrotask, setTimeout, clearTimeout },
}

async function run(code: string): Promise<unknown> {
  const context = createContext({ ...webStandards })
  expect(runInContext('typeof process', context)).toBe('undefined')
  runInContext(await bundle(code), context)
  return runInContext('app.result', context)
}

test('the client works where there is no `process`', async () => {
  const result = await run(`
    import { createPetstoreClient, defineOperation } from './client.ts'
    import * as z from 'zod/mini'
    const responses = [
      // Each of these responses causes a warning in development.
      () => Object.defineProperty(Response.json([{ id: 1, name: 'Dog' }]), 'type', { value: 'cors' }),
      () => Response.json({ id: 2, name: 'Cat' }, { status: 201, headers: { Deprecation: '@1', Sunset: 'soon' } }),
      () => Response.json({ code: 'no', message: 'No.', status: 400 }, { status: 400 }),
    ]
    const client = createPetstoreClient({
      baseUrl: 'https://petstore.test/v1',
      apiKey: 'demo',
      fetch: async () => responses.shift()(),
      rateLimitStore: { update: async () => { throw new Error('away') }, subscribe: () => () => {} },
    })
    const beta = defineOperation({ name: 'beta', path: '/beta', output: z.unknown(), stability: 'beta' })
    export const result = (async () => [
      await client.listCategories(),
      await client.createCategory({ name: 'Cat' }),
      await client.call(beta).catch((error) => error.message),
    ])()
  `)
  expect(await result).toEqual([
    [{ id: '1', name: 'Dog' }],
    { id: '2', name: 'Cat' },
    expect.stringContaining('No. (no)'),
  ])
})

test('the handler and the mock service work where there is no `process`', async () => {
  const result = await run(`
    import { createPetstoreHandler } from './server.ts'
    import { createPetstoreService } from './testing.ts'
    const { baseUrl, fetch } = createPetstoreService({ categories: [{ name: 'Dog' }] })
    const handler = createPetstoreHandler({ baseUrl, fetch, apiKey: 'demo', authorize: 'everybody', allowUnmarkedRequests: true })
    export const result = (async () => {
      const response = await handler(new Request('https://app.test/api/petstore/v1/categories'))
      return [response.status, await response.json()]
    })()
  `)
  expect(await result).toEqual([200, [expect.objectContaining({ name: 'Dog' })]])
})
