import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'

/** A GET that the service has got. */
interface RecordedGet {
  readonly key: string
  /** The number of the tab that has asked. */
  readonly tab: string
  readonly name: string
  /** Epoch ms. */
  readonly at: number
}

/** Serves the pages and, under the same origin, a service that counts GETs. */
export interface BenchServer {
  readonly origin: string
  readonly gets: readonly RecordedGet[]
  readonly close: () => void
}

/** How long a response takes, in ms. */
const responseTime = 40

export async function startServer(): Promise<BenchServer> {
  const files = await bundlePage()
  const gets: RecordedGet[] = []
  const names = new Map<string, string[]>()
  const http = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1')
    const file = files.get(pathname)
    if (file !== undefined) {
      response.setHeader('Content-Type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html')
      // As a bundle whose name has a hash.
      if (pathname.endsWith('.js')) response.setHeader('Cache-Control', 'max-age=3600, immutable')
      response.end(file)
      return
    }
    const key = request.headers.authorization ?? ''
    const rows = names.get(key) ?? ['Rabbit']
    names.set(key, rows)
    const name = pathname.split('/').at(-1) ?? ''
    let body: unknown = name === 'categories' ? rows.map((row, index) => ({ id: index + 1, name: row })) : { name }
    if (request.method === 'GET') {
      const tab = new URL(request.headers.referer ?? 'http://127.0.0.1').searchParams.get('tab') ?? ''
      gets.push({ key: key.slice('Bearer '.length), tab, name, at: Date.now() })
    } else {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      const created: unknown = JSON.parse(Buffer.concat(chunks).toString())
      body = { ...Object(created), id: rows.push(String(Object(created).name)) }
    }
    const now = Date.now() / 1_000
    setTimeout(() => {
      response.writeHead(request.method === 'GET' ? 200 : 201, {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'X-RateLimit-Limit': 100_000,
        'X-RateLimit-Remaining': 90_000,
        'X-RateLimit-Reset': Math.ceil(now / 60) * 60,
      })
      response.end(JSON.stringify(body))
    }, responseTime)
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    gets,
    close: () => {
      http.closeAllConnections()
      http.close()
    },
  }
}

/** The page, as a bundler builds it for production: with the chunks that load late. */
async function bundlePage(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [join(process.cwd(), 'test/bench/tabs/page.tsx')],
    outdir: '/',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const html = '<!doctype html><title>Tabs</title><link rel="icon" href="data:,"><div id="root"></div>'
  const scripts = outputFiles.map(({ path, text }) => [path, text] as const)
  return new Map([['/', `${html}<script type="module" src="/page.js"></script>`], ...scripts])
}
