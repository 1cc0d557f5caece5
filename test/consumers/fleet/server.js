import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { createPetstoreHandler, toNodeHandler } from 'petstore-react/server'
import { createRedisStore } from 'petstore-react/server/redis'
import { createClient } from 'redis'

const { PETSTORE_URL = '', PETSTORE_API_KEY = '', REDIS_URL = 'redis://127.0.0.1:6379' } = process.env
const port = Number(process.argv[process.argv.indexOf('--port') + 1])

const redis = createClient({ url: REDIS_URL })
// Without a listener, an outage of Redis would end the process.
redis.on('error', (error) => console.error(error.message))
await redis.connect()

const petstore = toNodeHandler(
  createPetstoreHandler({
    baseUrl: PETSTORE_URL,
    apiKey: PETSTORE_API_KEY,
    authorize: 'everybody',
    // All processes with this Redis share the quota of the key, and its cool-downs.
    rateLimitStore: createRedisStore({ client: redis, processes: 2 }),
    // A visitor gets a 429 rather than a longer wait. The page then waits by itself, and says so.
    retry: { maxWait: 1_000 },
  }),
)

/** @type {Readonly<Record<string, string>>} */
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

createServer(async (request, response) => {
  const { url = '/' } = request
  if (url.startsWith('/api/petstore/')) return petstore(request, response)
  const file = url === '/' ? 'index.html' : new URL(url, 'http://server').pathname
  try {
    const body = await readFile(join('dist', file))
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' }).end(body)
  } catch {
    response.writeHead(404).end()
  }
}).listen(port, '127.0.0.1')
