import type { PetstoreService } from '../../src/testing.ts'
import { noResponse } from '../noResponse.ts'

/** A response that a test delays. */
export interface HeldResponse {
  /** Resolves when the service has responded. */
  readonly arrived: Promise<void>
  /** Delivers the response to the page. */
  readonly letGo: () => void
  /** Whether the page has aborted the request. */
  readonly isAborted: () => boolean
}

interface Hold extends HeldResponse {
  readonly method: string
  readonly arrive: (signal: AbortSignal) => void
  readonly released: Promise<void>
}

/** A `fetch` that can hold single responses after the service has done its work. `holdRequests` holds the requests. */
export function holdResponses(service: PetstoreService): {
  readonly fetch: (request: Request) => Promise<Response>
  /** Holds the response to the next request with this method. */
  readonly hold: (method: Request['method']) => HeldResponse
} {
  const holds: Hold[] = []
  return {
    hold: (method) => {
      const hold = createHold(method)
      holds.push(hold)
      return hold
    },
    fetch: async (request) => {
      const index = holds.findIndex(({ method }) => method === request.method)
      const [hold] = index < 0 ? [] : holds.splice(index, 1)
      const response = service.fetch(request)
      await response.catch(() => {})
      if (!hold) return response
      hold.arrive(request.signal)
      await Promise.race([hold.released, noResponse(request)])
      return response
    },
  }
}

function createHold(method: string): Hold {
  let signal: AbortSignal | undefined
  let letGo = () => {}
  let arrive = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  return {
    method,
    arrived,
    released,
    letGo: () => letGo(),
    isAborted: () => signal?.aborted === true,
    arrive: (given) => {
      signal = given
      arrive()
    },
  }
}
