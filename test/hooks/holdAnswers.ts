import type { PetstoreService } from '../../src/testing.ts'

/** An answer that is held back. */
export interface HeldAnswer {
  /** Resolves when the service has done the work and answered. */
  readonly isHeld: Promise<void>
  /** Lets the answer go on its way. */
  readonly letGo: () => void
  /** Whether the page has given up waiting for it. */
  readonly isAborted: () => boolean
}

interface Hold extends HeldAnswer {
  readonly method: string
  readonly take: (signal: AbortSignal) => void
  readonly isLetGo: Promise<void>
}

/** A service in which single answers can be held back after the work was done. The rest passes. */
export function holdAnswers(service: PetstoreService): {
  readonly fetch: (request: Request) => Promise<Response>
  /** Holds the answer to the next request with this method. */
  readonly hold: (method: Request['method']) => HeldAnswer
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
      const answer = service.fetch(request)
      await answer.catch(() => {})
      if (!hold) return answer
      hold.take(request.signal)
      await Promise.race([hold.isLetGo, aborted(request.signal)])
      return answer
    },
  }
}

function createHold(method: string): Hold {
  let signal: AbortSignal | undefined
  let letGo = () => {}
  let take = () => {}
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const isHeld = new Promise<void>((resolve) => {
    take = resolve
  })
  return {
    method,
    isHeld,
    isLetGo,
    letGo: () => letGo(),
    isAborted: () => signal?.aborted === true,
    take: (given) => {
      signal = given
      take()
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
  })
}
