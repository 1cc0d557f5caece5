import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { preciseNow } from './preciseNow.ts'

/** A window of the service begins at each multiple of `per`. */
export interface Quota {
  readonly limit: number
  /** In ms; whole seconds. */
  readonly per: number
}

/** A request as the service has seen it. Times are true epoch ms. */
export interface ReceivedRequest {
  /** The process that sent it. */
  readonly sender: string
  /** The path, which is different for each call. */
  readonly path: string
  readonly sentAt: number
  readonly receivedAt: number
  /** How long the process held the call back, in ms. */
  readonly heldFor: number
  readonly status: number
  /** Units left after it. */
  readonly remaining: number
  /** Whether another program with the same key has used up the window. */
  readonly isUsedUp: boolean
  /** How long after the first refusal of the cool-down it left, in ms. */
  readonly afterRefusal: number | undefined
  /** The same, after the first refusal that this process received. */
  readonly afterOwnRefusal: number | undefined
}

export interface UpstreamOptions {
  readonly quota: Quota
  /** How long a response takes, in ms. */
  readonly latency?: number
  /** How many requests a cool-down tolerates. The next one bans the key until the end. */
  readonly tolerated?: number
}

export interface Upstream {
  readonly quota: Quota
  /** Ends with `/v1`. */
  readonly baseUrl: string
  readonly requests: readonly ReceivedRequest[]
  readonly isBanned: () => boolean
  /** Calls `listener` when a request arrives. */
  readonly onRequest: (listener: (request: ReceivedRequest) => void) => void
  /** Uses up what is left of the window, as another program with the same key would. */
  readonly useUp: () => void
  /** Uses one unit, if one is left, as another program would. */
  readonly use: () => void
  readonly close: () => void
}

/** How soon after a refusal other processes cannot know of it yet, in ms. */
export const grace = 250

interface Window {
  readonly endsAt: number
  used: number
  isUsedUp: boolean
  /** When it sent its first refusal, and the first one to each process. */
  refusedAt: number | undefined
  readonly refusedSenders: Map<string, number>
  attemptsDuringCooldown: number
}

/**
 * A rate-limited service that shares no code with the client: fixed windows, `X-RateLimit-*` and `Date` on every response,
 * 429 with `Retry-After`, and a ban for clients that keep sending in a cool-down.
 */
export async function startUpstream({ quota, latency = 0, tolerated = 3 }: UpstreamOptions): Promise<Upstream> {
  const requests: ReceivedRequest[] = []
  let listener = (_request: ReceivedRequest) => {}
  let isBanned = false
  let current = openWindow(quota, 0)

  const windowAt = (now: number) => {
    if (now >= current.endsAt) current = openWindow(quota, now)
    return current
  }

  function admit(window: Window, sentAt: number): number {
    if (window.refusedAt !== undefined && sentAt > window.refusedAt + grace) window.attemptsDuringCooldown += 1
    if (window.attemptsDuringCooldown > tolerated) isBanned = true
    if (isBanned) return 403
    if (window.used >= quota.limit) return 429
    window.used += 1
    return 201
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const receivedAt = preciseNow()
    const window = windowAt(receivedAt)
    const header = (name: string) => String(request.headers[name] ?? '')
    const sender = header('x-sender')
    const sentAt = Number(header('x-sent-at'))
    const after = (refusedAt = Number.POSITIVE_INFINITY) => (sentAt > refusedAt ? sentAt - refusedAt : undefined)
    const status = admit(window, sentAt)
    const received: ReceivedRequest = {
      sender,
      path: request.url ?? '',
      sentAt,
      receivedAt,
      heldFor: Number(header('x-held-for')),
      status,
      remaining: quota.limit - window.used,
      isUsedUp: window.isUsedUp,
      afterRefusal: after(window.refusedAt),
      afterOwnRefusal: after(window.refusedSenders.get(sender)),
    }
    requests.push(received)
    listener(received)
    const headers = rateLimitHeaders(window, quota, status, receivedAt)
    setTimeout(() => {
      if (status === 429) noteRefusal(window, sender)
      response.writeHead(status, headers).end(bodyOf(status))
    }, latency)
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume().once('end', () => receive(request, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The service has no port.')

  return {
    quota,
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    isBanned: () => isBanned,
    onRequest: (callback) => {
      listener = callback
    },
    useUp: () => {
      const window = windowAt(preciseNow())
      window.used = quota.limit
      window.isUsedUp = true
    },
    use: () => {
      const window = windowAt(preciseNow())
      window.used = Math.min(quota.limit, window.used + 1)
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function openWindow({ per }: Quota, now: number): Window {
  const endsAt = (Math.floor(now / per) + 1) * per
  return {
    endsAt,
    used: 0,
    isUsedUp: false,
    refusedAt: undefined,
    refusedSenders: new Map(),
    attemptsDuringCooldown: 0,
  }
}

function noteRefusal(window: Window, sender: string): void {
  const now = preciseNow()
  window.refusedAt ??= now
  if (!window.refusedSenders.has(sender)) window.refusedSenders.set(sender, now)
}

function rateLimitHeaders({ used, endsAt }: Window, { limit }: Quota, status: number, now: number) {
  return {
    'Content-Type': 'application/json',
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': limit - used,
    'X-RateLimit-Reset': endsAt / 1_000,
    // A ban says nothing about its end, so that calls fail at once.
    ...(status === 429 && { 'Retry-After': Math.ceil((endsAt - now) / 1_000) }),
  }
}

function bodyOf(status: number): string {
  return JSON.stringify(
    status === 201 ? { id: 1, name: 'done' } : { code: 'refused', message: 'The request is refused.', status },
  )
}
