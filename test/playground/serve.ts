import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The playground's address. It is built at the first request, which takes a while. */
    playground: string
  }
}

/** Not the root: the published playground may be in any folder of a server. */
const path = '/some/where/'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
}

/** Serves the built playground to all tests that use it, as a server of static files does. */
export default async function serve({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'playground-'))
  let build: Promise<unknown> | undefined

  async function read(pathname: string): Promise<{ content: Buffer; type: string }> {
    if (!pathname.startsWith(path)) throw new Error('outside')
    build ??= promisify(execFile)('npx', ['storybook', 'build', '--quiet', '-o', folder], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, NODE_ENV: 'production', VITEST: '' },
    })
    await build
    const name = pathname.slice(path.length) || 'index.html'
    return { content: await readFile(join(folder, name)), type: types[extname(name)] ?? 'application/octet-stream' }
  }

  const server = createServer((request, response) => {
    read(new URL(request.url ?? '/', 'http://localhost').pathname).then(
      ({ content, type }) =>
        response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'max-age=600' }).end(content),
      (error: unknown) => response.writeHead(404).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  provide('playground', `http://127.0.0.1:${address.port}${path}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true })
  }
}
