import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { createQuickClient, failureOf, json } from './client.setup.ts'

afterEach(() => vi.unstubAllGlobals())

test('where `Request` is missing, as in Jest with jsdom, the error says so, and the next call works', async () => {
  const fetch = vi.fn<() => Promise<Response>>(async () => json([]))
  const client = createQuickClient(fetch)
  vi.stubGlobal('Request', undefined)
  const error = await failureOf(client.listCategories())
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toMatch(/Request is missing here.*Jest with jsdom.*jest-fixed-jsdom/)
  expect(fetch).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
  expect(await client.listCategories()).toEqual([])
})

test('the declarations do not name `ErrorOptions`, which needs the library of ES2022', async () => {
  const out = join('node_modules', '.cache', 'declarations') // not that of the build, which another test may run meanwhile
  await promisify(execFile)('npx', ['tsc', '-p', 'src', '--emitDeclarationOnly', '--noCheck', '--outDir', out])
  const files = (await readdir(join(out, 'client'))).filter((name) => name.endsWith('.d.ts'))
  expect(files).toContain('errors.d.ts')
  const declarations = await Promise.all(files.map((name) => readFile(join(out, 'client', name), 'utf8')))
  expect(declarations.filter((text) => text.includes('ErrorOptions'))).toEqual([])
  await rm(out, { recursive: true })
})
