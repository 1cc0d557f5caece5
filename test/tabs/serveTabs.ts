import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'

export interface TabServer {
  readonly origin: string
  readonly close: () => void
}

interface TabServerOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** The headers of the pages. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Serves a page with the client as `window.petstore` at every address, and the script of a worker. */
export async function serveTabs({ host = '127.0.0.1', headers = {} }: TabServerOptions = {}): Promise<TabServer> {
  const html = '<!doctype html><title>Tab</title><link rel="icon" href="data:,"><script src="/client.js"></script>'
  const scripts = new Map([
    ['/client.js', await bundle('../../src/client.ts')],
    ['/worker.js', await bundle('worker.ts')],
  ])
  const pages = createServer(({ url = '' }, response) => {
    const script = scripts.get(url)
    response.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript')
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.end(script ?? html)
  })
  await new Promise<void>((resolve) => pages.listen(0, host, resolve))
  const address = pages.address()
  if (address === null || typeof address === 'string') throw new Error('The page server has no port.')
  return { origin: `http://${host}:${address.port}`, close: () => pages.close() }
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
