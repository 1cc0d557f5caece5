import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Serves the pages and, under the same origin, a service whose responses take time. */
export interface BenchServer {
  readonly origin: string
  /** How long a response takes, in ms. */
  responseTime: number
  /** How long a window lasts, in s. Each key has windows of its own: the first one begins with its first request. */
  windowLength: number
  /** Whether each connection to the service is lost. */
  isDown: boolean
  /** Resolves when that many requests of a key have arrived. */
  readonly arrivals: (key: string, count: number) => Promise<void>
  readonly close: () => void
}

/** What the service knows of a key. */
interface Usage {
  requests: number
  /** In the current window. */
  used: number
  /** Epoch s. */
  resetAt: number
  awaited: readonly { readonly count: number; readonly resolve: () => void }[]
}

/** Requests per window. */
const limit = 60

export async function startServer(): Promise<BenchServer> {
  const html = '<!doctype html><title>Reloads</title><link rel="icon" href="data:,"><div id="root"></div>'
  const files = new Map([
    ['/', `${html}<script src="/page.js"></script>`],
    ['/page.js', await bundle('page.tsx')],
    ['/worker.js', await bundle('worker.ts')],
  ])
  const usages = new Map<string, Usage>()
  const usageOf = (key: string): Usage => {
    const usage = usages.get(key) ?? { requests: 0, used: 0, resetAt: 0, awaited: [] }
    usages.set(key, usage)
    return usage
  }

  /** Counts a request. Returns the headers of its response. */
  function count(usage: Usage): Record<string, string | number> {
    const now = Date.now() / 1_000
    if (now >= usage.resetAt) {
      usage.resetAt = Math.ceil(now) + server.windowLength
      usage.used = 0
    }
    usage.used += 1
    usage.requests += 1
    for (const { count: awaited, resolve } of usage.awaited) if (usage.requests >= awaited) resolve()
    return {
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': Math.max(0, limit - usage.used),
      'X-RateLimit-Reset': usage.resetAt,
    }
  }

  const http = createServer(({ url = '', headers }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1')
    const file = files.get(pathname)
    if (file !== undefined) {
      response.setHeader('Content-Type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html')
      response.end(file)
      return
    }
    if (server.isDown) {
      response.destroy()
      return
    }
    const quota = count(usageOf(headers.authorization ?? ''))
    const name = pathname.split('/').at(-1) ?? ''
    const body = name === 'categories' ? [{ id: 1, name: 'Rabbit' }] : { name: `Pet ${name}` }
    setTimeout(() => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...quota })
      response.end(JSON.stringify(body))
    }, server.responseTime)
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const server: BenchServer = {
    origin: `http://127.0.0.1:${address.port}`,
    responseTime: 0,
    windowLength: 60,
    isDown: false,
    arrivals: (key, awaited) =>
      new Promise((resolve) => {
        const usage = usageOf(`Bearer ${key}`)
        if (usage.requests >= awaited) resolve()
        else usage.awaited = [...usage.awaited, { count: awaited, resolve }]
      }),
    close: () => {
      http.closeAllConnections()
      http.close()
    },
  }
  return server
}

const built = new Map([
  ['index', 'dist/index.js'],
  ['client', 'dist/client.js'],
])

/** Bundles a script with the built package, as for production. */
async function bundle(entry: string): Promise<string> {
  const root = process.cwd()
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/bench/reloads', entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'built package',
        setup: (pluginBuild) =>
          pluginBuild.onResolve({ filter: /src\/(index|client)\.ts$/ }, ({ path }) => {
            const name = /(\w+)\.ts$/.exec(path)?.[1] ?? ''
            return { path: join(root, built.get(name) ?? '') }
          }),
      },
    ],
  })
  return outputFiles.map(({ text }) => text).join('')
}
