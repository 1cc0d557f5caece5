import { createRandom, never, travel, type VirtualTime } from '../virtualTime.ts'
import { currentCall, type Page } from './pages.ts'
import type { Service } from './service.ts'

export type Fetch = (input: Request | string, init?: RequestInit) => Promise<Response>

/** One request in the network. Times are true epoch ms. */
export interface Exchange {
  readonly sentAt: number
  readonly page: string
  /** The number of the call that sends the request. */
  readonly call: number | undefined
  /** How many requests of the call left before this one. */
  readonly attempt: number
  readonly address: string
  /** Whether it left after the head of a 429 had arrived, and before the time that the 429 named. */
  readonly duringCooldown: boolean
  endedAt?: number
  status?: number | 'lost' | 'aborted'
}

/** A request that arrives. */
export interface Arrival {
  readonly address: string
  /** How many requests of the call left before this one. */
  readonly attempt: number
  /** ms since the world began. */
  readonly at: number
  /** A random number from 0 to 1: the same for the same seed, call and attempt, with the kit and with plain `fetch`. */
  readonly chance: number
}

/** What becomes of a request that does not simply succeed. */
export type Fate =
  /** The connection is lost before the request reaches the service. */
  | 'lost'
  /** It never gets a response. The service has counted it. */
  | 'hangs'
  | BareFate
  | CountedFate

/** A gateway in front of the service responds, without any header of the service. The service does not count it. */
interface BareFate {
  readonly bare: number
}

/** The service counts the request. */
interface CountedFate {
  /** Default 200. */
  readonly status?: number
  /** `Retry-After` of an error, in s. */
  readonly retryAfter?: number
  /** How long the service takes for the head of its response, in ms. */
  readonly head?: number
  /** How long the body takes after the head, in ms. */
  readonly body?: number
}

export interface NetworkOptions {
  readonly service: Service
  readonly time: VirtualTime
  /** True epoch ms. */
  readonly start: number
  readonly seed: number
  /** By how much the clock of the service is ahead, in ms. */
  readonly serviceAhead: number
  /** Whether pages can read no header of the service. */
  readonly hidesHeaders: boolean
  /** The shortest and the longest time of a request and its response together, in ms. */
  readonly latency: readonly [number, number]
  readonly fateOf: (arrival: Arrival) => Fate | undefined
  readonly isOnline: () => boolean
}

/** The network between pages and the service, and a record of it. */
export interface Network {
  readonly exchanges: readonly Exchange[]
  readonly fetchFrom: (page: Page) => Fetch
}

export function createNetwork(options: NetworkOptions): Network {
  const { service, time, start, seed, serviceAhead, hidesHeaders, fateOf, isOnline } = options
  const [minLatency, maxLatency] = options.latency
  const exchanges: Exchange[] = []
  const attempts = new Map<number | undefined, number>()
  let cooldownUntil = 0

  async function exchange({ signal }: Request, sent: Exchange): Promise<Response> {
    const random = createRandom(seed * 1_000_003 + (sent.call ?? 0) * 101 + sent.attempt)
    const halfway = (minLatency + random() * (maxLatency - minLatency)) / 2
    if (!isOnline()) {
      await travel(time, 1, signal)
      throw new TypeError('Failed to fetch')
    }
    await travel(time, halfway, signal)
    const { address, attempt } = sent
    const fate = isOnline() ? fateOf({ address, attempt, at: time.now() - start, chance: random() }) : 'lost'
    if (fate === 'lost') {
      await travel(time, halfway, signal)
      throw new TypeError('Failed to fetch')
    }
    if (typeof fate === 'object' && 'bare' in fate) {
      await travel(time, halfway, signal)
      const headers = { 'Content-Type': 'text/html', Date: new Date(time.now()).toUTCString(), Server: 'nginx' }
      return new Response('<html></html>', { status: fate.bare, headers })
    }
    const countedAt = time.now()
    const counted = service.respond(countedAt + serviceAhead)
    if (fate === 'hangs') return travel(time, Infinity, signal).then(never)
    const { head = 0, body = 0, ...failure } = fate ?? {}
    await travel(time, halfway + head, signal)
    if (counted.status === 429) cooldownUntil = countedAt + Number(counted.headers['Retry-After']) * 1_000
    const { status = 200, retryAfter }: CountedFate = counted.status === 200 ? failure : { status: counted.status }
    const headers = {
      ...(!hidesHeaders && counted.headers),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      'Content-Type': 'application/json',
    }
    return new Response(delayedBody(body, signal), { status, headers })
  }

  /** A body that arrives `ms` after the head. As in a browser, an abort ends it. */
  function delayedBody(ms: number, signal: AbortSignal): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: async (controller) => {
        try {
          if (ms > 0) await travel(time, ms, signal)
          controller.enqueue(new TextEncoder().encode('{"name":"dog"}'))
          controller.close()
        } catch (error) {
          controller.error(error)
        }
      },
    })
  }

  return {
    exchanges,
    fetchFrom: (page) => async (input, init) => {
      if (!page.isOpen) return never()
      const request = new Request(input, init)
      request.signal.throwIfAborted()
      const call = currentCall()
      const attempt = attempts.get(call) ?? 0
      attempts.set(call, attempt + 1)
      const sentAt = time.now()
      const address = new URL(request.url).pathname.replace('/v1', '')
      const sent: Exchange = { sentAt, page: page.id, call, attempt, address, duringCooldown: sentAt < cooldownUntil }
      exchanges.push(sent)
      const result = await exchange(request, sent).then(
        (response) => ({ response }),
        (error: unknown) => ({ error }),
      )
      if (!page.isOpen) return never()
      sent.endedAt = time.now()
      if ('response' in result) {
        sent.status = result.response.status
        return result.response
      }
      sent.status = request.signal.aborted ? 'aborted' : 'lost'
      throw result.error
    },
  }
}
