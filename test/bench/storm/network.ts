import type { Fault, PetstoreService } from '../../../src/testing.ts'
import type { Fetch } from './Contender.ts'
import type { VirtualTime } from './virtualTime.ts'

/** One request, as the network saw it. Times are true epoch ms. */
export interface Exchange {
  readonly sentAt: number
  readonly pageId: string
  readonly method: string
  readonly path: string
  /** Whether it left after a 429 had been delivered to any page, and before that cool-down was over. */
  readonly whileCooling: boolean
  deliveredAt?: number
  status?: number | 'lost' | 'aborted'
}

export interface NetworkOptions {
  readonly service: PetstoreService
  readonly time: VirtualTime
  /** ms for the way there and back together */
  readonly latency: () => number
  /** Names of headers that pages cannot read. */
  readonly hidden: readonly string[]
  /** What goes wrong with a request, if anything does. */
  readonly fault: (body: string) => Fault | undefined
  /** The most requests that a run may send; with the next one the network is cut, and `onRunaway` called. */
  readonly cap: number
  readonly onRunaway: () => void
}

/** All that goes between the pages and the service, and what was seen of it. */
export interface Network {
  readonly exchanges: readonly Exchange[]
  /** Bodies of the requests with which something went wrong on the way. */
  readonly faulted: ReadonlySet<string>
  /** @param isOpen - whether the page is still there: one that has gone sends and hears nothing */
  fetchFrom(pageId: string, isOpen: () => boolean): Fetch
}

const never = () => new Promise<never>(() => {})

export function createNetwork(options: NetworkOptions): Network {
  const { service, time, latency, hidden, fault, cap, onRunaway } = options
  const exchanges: Exchange[] = []
  const faulted = new Set<string>()
  /** The end of the longest cool-down that a delivered 429 has told of. */
  let cooldownUntil = 0

  const travel = async (ms: number, signal: AbortSignal): Promise<void> => {
    let abort = () => {}
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason)
    })
    signal.addEventListener('abort', abort)
    try {
      await Promise.race([time.sleep(ms), aborted])
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  const exchange = async (request: Request, seen: Exchange): Promise<Response> => {
    const { signal } = request
    const halfway = latency() / 2
    const body = request.method === 'POST' ? await request.clone().text() : ''
    await travel(halfway, signal)
    const wrong = fault(body)
    // Asked for and met in one step: no other request can get in between.
    if (wrong) service.failNext(wrong)
    if (wrong) faulted.add(body)
    const settled = await service.fetch(request).then(
      (response) => ({ response }),
      (error: unknown) => ({ error }),
    )
    await travel(halfway, signal)
    seen.deliveredAt = time.now()
    if ('error' in settled) {
      seen.status = 'lost'
      throw settled.error
    }
    const { response } = settled
    seen.status = response.status
    // The windows of the service begin with whole minutes: this is exactly when it opens again.
    if (response.status === 429)
      cooldownUntil = Math.max(cooldownUntil, Number(response.headers.get('X-RateLimit-Reset')) * 1000)
    const headers = new Headers(response.headers)
    for (const name of hidden) headers.delete(name)
    return new Response(response.body, { status: response.status, headers })
  }

  return {
    exchanges,
    faulted,
    fetchFrom: (pageId, isOpen) => async (input, init) => {
      if (!isOpen() || exchanges.length >= cap) return never()
      const request = new Request(input, init)
      request.signal.throwIfAborted()
      const sentAt = time.now()
      const path = new URL(request.url).pathname
      const seen: Exchange = { sentAt, pageId, method: request.method, path, whileCooling: sentAt < cooldownUntil }
      exchanges.push(seen)
      if (exchanges.length >= cap) onRunaway()
      const settled = await exchange(request, seen).then(
        (response) => ({ response }),
        (error: unknown) => ({ error }),
      )
      if (!isOpen()) return never()
      if ('response' in settled) return settled.response
      seen.status ??= 'aborted'
      throw settled.error
    },
  }
}
