import express from 'express'
import { rateLimit } from 'express-rate-limit'
import { startNginx } from './nginx.ts'
import type { ServerName } from './serverNames.ts'
import { addService, cors, listen } from './service.ts'

/** What a server has seen. Times are epoch ms. */
export interface ServerLog {
  /** Without preflights. */
  readonly requests: number
  /** When a request was refused, and when the server is to accept others, if it said so. */
  readonly refusals: readonly { readonly at: number; readonly until?: number }[]
  /** Categories that were created twice. */
  readonly duplicates: number
}

/** Where a server listens, and where it shows its log. */
export interface ServerAddresses {
  readonly origin: string
  readonly logUrl: string
}

const limit = { windowMs: 10_000, limit: 20 }

const legacy = { legacyHeaders: true, standardHeaders: false } as const

async function startExpress(isReadable: boolean, headers: Parameters<typeof rateLimit>[0]): Promise<ServerAddresses> {
  const app = express()
  const refusals: { at: number; until: number }[] = []
  let requests = 0
  app.get('/log', (_, response) => void response.json({ requests, refusals, duplicates: countDuplicates() }))
  app.use(cors(isReadable), (_, response, next) => {
    requests += 1
    response.on('finish', () => {
      const at = Date.now()
      const wait = Number(response.get('Retry-After')) * 1_000
      if (response.statusCode === 429) refusals.push({ at, until: at + wait })
    })
    next()
  })
  app.use(rateLimit({ ...limit, ...headers, keyGenerator: (request) => request.get('Authorization') ?? '' }))
  const countDuplicates = addService(app)
  const origin = await listen(app)
  return { origin, logUrl: `${origin}/log` }
}

/** nginx knows nothing of CORS: the service behind it adds the headers. */
async function startBehindNginx(isReadable: boolean): Promise<ServerAddresses> {
  const app = express()
  app.get('/log', async (_, response) => void response.json({ ...(await readLog()), duplicates: countDuplicates() }))
  app.use(cors(true))
  const countDuplicates = addService(app)
  const service = await listen(app)
  const { origin, readLog } = await startNginx(service, isReadable)
  return { origin, logUrl: `${service}/log` }
}

const servers: Readonly<Record<ServerName, () => Promise<ServerAddresses>>> = {
  'express-rate-limit, headers readable': () => startExpress(true, legacy),
  'express-rate-limit, headers hidden': () => startExpress(false, legacy),
  'express-rate-limit, draft-7': () => startExpress(true, { legacyHeaders: false, standardHeaders: 'draft-7' }),
  'express-rate-limit, draft-8': () => startExpress(true, { legacyHeaders: false, standardHeaders: 'draft-8' }),
  'nginx limit_req, 503 readable': () => startBehindNginx(true),
  'nginx limit_req, 503 without CORS': () => startBehindNginx(false),
}

// The server ends with the benchmark, also if that is killed: its standard input is then closed.
process.stdin.resume().on('end', () => process.exit())
const start = servers[process.argv[2] as ServerName]
process.stdout.write(`${JSON.stringify(await start())}\n`)
