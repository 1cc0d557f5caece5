import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Frameworks resolve the imports of server components under this condition. */
const condition = 'react-server'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-react-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A server component in miniature: it uses the package by its public names. */
const program = `
  import { createPetstoreClient, isPetstoreError, operations, prefetchQuery } from './client.js'
  import { createPetstoreService } from './testing.js'

  const service = createPetstoreService({ categories: [{ id: '9007199254740993', name: 'Dog' }] })
  const options = { baseUrl: 'https://pets.test/v1', fetch: service.fetch, scope: 'me' }
  const client = createPetstoreClient({ ...options, apiKey: 'demo' })
  const created = await client.createCategory({ name: 'Cat' })
  const fallback = await prefetchQuery(client, operations.listCategories)
  const refused = await createPetstoreClient({ ...options, apiKey: 'other' }).listCategories().catch((error) => error)
  console.log(JSON.stringify({
    created,
    fallback: Object.entries(fallback).map(([key, value]) => [key, Array.isArray(value) ? value : typeof value]),
    refused: isPetstoreError(refused) && refused.kind,
    quota: client.rateLimit.getSnapshot().remaining,
    requests: service.requests.map(({ method, status }) => method + ' ' + status),
  }))
`

test('petstore-react/client and /testing run in server components, without React', async () => {
  const { metafile } = await build({
    entryPoints: ['src/client.ts', 'src/testing.ts'],
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: [condition],
    metafile: true,
    logLevel: 'error',
  })
  const packages = Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
  expect(packages).toContain('zod')
  expect(packages.filter((name) => /^(?:react|swr|use-sync|scheduler)/.test(name ?? ''))).toEqual([])
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])

  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'program.js'), program)
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    `--conditions=${condition}`,
    join(folder, 'program.js'),
  ])
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    created: { id: '1', name: 'Cat' },
    fallback: [
      [
        '@"petstore","me","listCategories",null,',
        [
          { id: '9007199254740993', name: 'Dog' },
          { id: '1', name: 'Cat' },
        ],
      ],
      ['@"petstore","me","listCategories",null,loadedAt', 'number'],
    ],
    refused: 'authentication',
    quota: 58,
    requests: ['POST 201', 'GET 200', 'GET 401'],
  })
})
