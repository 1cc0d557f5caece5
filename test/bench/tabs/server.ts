import { json } from 'node:stream/consumers'
import { bundlePage } from '../../bundlePage.ts'
import { contentTypeOf, type StartedServer, startServer as serve } from '../../startServer.ts'

/** Serves the pages and, under the same origin, a service that counts GETs. */
export interface BenchServer extends StartedServer {
  /** How many GETs the service has got with a key. */
  readonly getsOf: (key: string) => number
}

/** How long a response takes, in ms. */
const responseTime = 40

export async function startServer(): Promise<BenchServer> {
  const files = await bundlePage('test/bench/tabs/page.tsx')
  const html = '<!doctype html><title>Tabs</title><link rel="icon" href="data:,"><div id="root"></div>'
  files.set('/', `${html}<script type="module" src="/page.js"></script>`)
  const gets = new Map<string, number>()
  const names = new Map<string, string[]>()
  const started = await serve(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1')
    const file = files.get(pathname)
    if (file !== undefined) {
      response.setHeader('Content-Type', contentTypeOf(pathname))
      // Cached, as a bundle whose name has a hash.
      if (pathname.endsWith('.js')) response.setHeader('Cache-Control', 'max-age=3600, immutable')
      response.end(file)
      return
    }
    const key = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const rows = names.get(key) ?? ['Rabbit']
    names.set(key, rows)
    const name = pathname.split('/').at(-1) ?? ''
    let body: unknown = name === 'categories' ? rows.map((row, index) => ({ id: index + 1, name: row })) : { name }
    if (request.method === 'GET') {
      gets.set(key, (gets.get(key) ?? 0) + 1)
    } else {
      const created: unknown = await json(request)
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
  return { ...started, getsOf: (key) => gets.get(key) ?? 0 }
}
