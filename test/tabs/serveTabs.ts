import { join } from 'node:path'
import { build } from 'esbuild'
import { contentTypeOf, type StartedServer, startServer } from '../startServer.ts'

interface TabServerOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** The headers of the pages. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Serves one page at every address, with `client.ts` as `window.petstore`, and the script of a worker. */
export async function serveTabs({ host = '127.0.0.1', headers = {} }: TabServerOptions = {}): Promise<StartedServer> {
  const html = '<!doctype html><title>Tab</title><link rel="icon" href="data:,"><script src="/client.js"></script>'
  const scripts = new Map([
    ['/client.js', await bundle('../../src/client.ts')],
    ['/worker.js', await bundle('worker.ts')],
  ])
  return startServer(({ url = '' }, response) => {
    response.setHeader('Content-Type', contentTypeOf(url))
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.end(scripts.get(url) ?? html)
  }, host)
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    bundle: true,
    format: 'iife',
    globalName: 'petstore',
    write: false,
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return outputFiles.map((file) => file.text).join('')
}
