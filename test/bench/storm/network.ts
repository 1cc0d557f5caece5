import type { Fault, PetstoreService } from '../../../src/testing.ts'
import type { Fetch } from './Contender.ts'
import type { VirtualTime } from './virtualTime.ts'

/** One request in the network. Times are true epoch ms. */
export interface Exchange {
  readonly sentAt: number
  readonly pageId: string
  readonly method: string
  readonly path: string
  /** Whether it left after any page had received a 429, and before the end of that cool-down. */
  readonly duringCooldown: boolean
  deliveredAt?: number
  status?: number | 'lost' | 'aborted'
}

export interface NetworkOptions {
  readonly service: PetstoreService
  readonly time: VirtualTime
  /** ms for the request and its response together */
  readonly latency: () => number
  /** Names of headers that pages cannot read. */
  readonly hidden: readonly string[]
  /** How a request fails, if it does. */
  readonly fault: (body: string) => Fault | undefined
  /** How many requests a run may send. */
  readonly cap: number
  /** Called when the run has sent that many requests. Further requests get no response. */
  readonly onRunaway: () => void
}

/** The network between the pages and the service, and a record of it. */
export interface Network {
  readonly exchanges: readonly Exchange[]
  /** The bodies of the requests that failed in the network. */
  readonly faulted: ReadonlySet<string>
  /** @param isOpen - whether the page is still open: a closed page sends and receives nothing */
  readonly fetchFrom: (pageId: string, isOpen: () => boolean) => Fetch
}

const never = () => new Promise<never>(() => {})

export function createNetwork(options: NetworkOptions): Network {
  const { service, time, latency, hidden, fault, cap, onRunaway } = options
  const exchanges: Exchange[] = []
  const faulted = new Set<string>()
  /** The end of the longest cool-down that pages know of. */
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

  const exchange = async (request: Request, sent: Exchange): Promise<Response> => {
    const { signal } = request
    const halfway = latency() / 2
    const body = request.method === 'POST' ? await request.clone().text() : ''
    await travel(halfway, signal)
    const failure = fault(body)
    // Synchronously before the request, so that the failure meets no other one.
    if (failure) service.failNext(failure)
    if (failure) faulted.add(body)
    const result = await service.fetch(request).then(
      (response) => ({ response }),
      (error: unknown) => ({ error }),
    )
    await travel(halfway, signal)
    sent.deliveredAt = time.now()
    if ('error' in result) {
      sent.status = 'lost'
      throw result.error
    }
    const { response } = result
    sent.status = response.status
    // The windows of the service end with whole minutes, so the reset is exact.
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
      const sent: Exchange = { sentAt, pageId, method: request.method, path, duringCooldown: sentAt < cooldownUntil }
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
