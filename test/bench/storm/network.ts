import type { Fault, PetstoreService } from '../../../src/testing.ts'
import type { Fetch } from './Contender.ts'
import { createSharedKnowledge } from './createSharedKnowledge.ts'
import { never, travel, type VirtualTime } from '../virtualTime.ts'

/** One request in the network. Times are true epoch ms. */
export interface Exchange {
  readonly sentAt: number
  readonly pageId: string
  readonly method: string
  readonly path: string
  /** Whether it left in a cool-down that some page already knew of, because it had received the refusal. */
  readonly duringCooldown: boolean
  /** Whether the service refused it. */
  isRefused?: boolean
  /** When the page received the head of the response. */
  deliveredAt?: number
  status?: number | 'lost' | 'aborted'
}

export interface NetworkOptions {
  readonly service: PetstoreService
  readonly time: VirtualTime
  /** How long the request and its response take together, in ms. */
  readonly latency: () => number
  /** Names of headers that pages cannot read. */
  readonly hiddenHeaders: readonly string[]
  /** Replaces the text of every Retry-After. */
  readonly retryAfter: string | undefined
  /** Whether a page sees refusals as network errors, as without CORS headers. */
  readonly hidesRefusals: boolean
  /** How long the body of a 429 takes after its head, in ms; `Infinity`: it never ends. */
  readonly refusalBody: number | undefined
  /** How the request with this body fails; `undefined`: not. */
  readonly fault: (body: string) => Fault | undefined
  /** How many requests a run may send: further ones get no response. */
  readonly cap: number
  /** Called when the run has sent `cap` requests. */
  readonly onRunaway: () => void
}

/** The network between the pages and the service, and a record of it. */
export interface Network {
  readonly exchanges: readonly Exchange[]
  /** The bodies of the requests that met a fault, or whose refusal the page saw as a network error. */
  readonly faultedBodies: ReadonlySet<string>
  /** @param isOpen - whether the page is still open: a closed page sends and receives nothing */
  readonly fetchFrom: (pageId: string, isOpen: () => boolean) => Fetch
}

export function createNetwork(options: NetworkOptions): Network {
  const { service, time, latency, hiddenHeaders, retryAfter, hidesRefusals, refusalBody, cap, onRunaway } = options
  const exchanges: Exchange[] = []
  const faultedBodies = new Set<string>()
  const knowledge = createSharedKnowledge()

  const exchange = async (request: Request, sent: Exchange): Promise<Response> => {
    const { signal } = request
    const halfway = latency() / 2
    const body = request.method === 'POST' ? await request.clone().text() : ''
    await travel(time, halfway, signal)
    const failure = options.fault(body)
    // Nothing is awaited between `failNext` and `fetch`, so that no other request meets the failure.
    if (failure) service.failNext(failure)
    if (failure) faultedBodies.add(body)
    const result = await service.fetch(request).then(
      (response) => ({ response }),
      (error: unknown) => ({ error }),
    )
    await travel(time, halfway, signal)
    sent.deliveredAt = time.now()
    if ('error' in result) {
      sent.status = 'lost'
      throw result.error
    }
    const { status, headers: sentHeaders, body: text } = result.response
    sent.status = status
    sent.isRefused = status === 429
    if (hidesRefusals && status >= 400) {
      faultedBodies.add(body)
      knowledge.recordUnexplainedFailure(sent.sentAt, time.now())
      throw new TypeError('Failed to fetch')
    }
    if (status === 429) {
      // The windows of the service end with whole minutes, so the reset is exact.
      knowledge.recordRefusal(Number(sentHeaders.get('X-RateLimit-Reset')) * 1000)
    } else knowledge.recordSuccess(sent.sentAt)
    const headers = new Headers(sentHeaders)
    if (retryAfter !== undefined && headers.has('Retry-After')) headers.set('Retry-After', retryAfter)
    for (const name of hiddenHeaders) headers.delete(name)
    const isSlow = status === 429 && refusalBody !== undefined
    return new Response(isSlow ? slowBody(time, refusalBody, signal) : text, { status, headers })
  }

  return {
    exchanges,
    faultedBodies,
    fetchFrom: (pageId, isOpen) => async (input, init) => {
      if (!isOpen() || exchanges.length >= cap) return never()
      const request = new Request(input, init)
      request.signal.throwIfAborted()
      const sentAt = time.now()
      const path = new URL(request.url).pathname
      const sent: Exchange = {
        sentAt,
        pageId,
        method: request.method,
        path,
        duringCooldown: knowledge.isCoolingDown(sentAt),
      }
      exchanges.push(sent)
      if (exchanges.length >= cap) onRunaway()
      const result = await exchange(request, sent).then(
        (response) => ({ response }),
        (error: unknown) => ({ error }),
      )
      if (!isOpen()) return never()
      if ('response' in result) return result.response
      sent.status ??= 'aborted'
      throw result.error
    },
  }
}

/** A body that arrives after `ms`, or never. As in a browser, an abort ends it. */
function slowBody(time: VirtualTime, ms: number, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: async (controller) => {
      signal.addEventListener('abort', () => controller.error(signal.reason))
      if (!Number.isFinite(ms)) return
      await time.sleep(ms)
      if (signal.aborted) return
      const error = { code: 'rate_limited', message: 'The rate limit is exceeded.', status: 429 }
      controller.enqueue(new TextEncoder().encode(JSON.stringify(error)))
      controller.close()
    },
  })
}
