import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** Builds the static Storybook into a folder of its own, and serves it until `close` is called. */
export async function servePlayground() {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  await promisify(execFile)('npx', ['storybook', 'build', '--quiet', '-o', folder], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, NODE_ENV: 'production', VITEST: '' },
  })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    readFile(join(folder, pathname)).then(
      (content) => {
        const type = types[extname(pathname)] ?? 'application/octet-stream'
        response.writeHead(200, { 'Content-Type': type }).end(content)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    home: `http://127.0.0.1:${address.port}/`,
    close: async () => {
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}
