/** A 429 to a visitor who did as it was told. */
export interface BrokenPromise {
  /**
   * `units`: it had units of the window left. `wait`: it had waited as long as it was told. `next window`: the window of
   * the units that it was told of was over.
   */
  readonly against: 'units' | 'wait' | 'next window'
  /** Epoch ms, here and below. */
  readonly toldAt: number
  readonly sentAt: number
}

interface Listeners {
  readonly onResponse: (status: number) => void
  readonly onBroken: (broken: BrokenPromise) => void
}

type Send = (request: Request) => Promise<Response>

/** What a visitor was told last. */
interface Told {
  /** Epoch ms. */
  readonly at: number
  readonly units: number
  /** When the window ends, or the wait (epoch ms). */
  readonly until: number
}

/** Sends the requests of one visitor, and compares the responses with what it was told before. */
export function watchPromises(send: Send, now: () => number, { onResponse, onBroken }: Listeners): Send {
  let told: Told | undefined
  let inFlight = 0

  /** What a 429 to a request that leaves now would break; nothing where the visitor does not know what it may do. */
  function promiseNow(): BrokenPromise | undefined {
    if (!told) return undefined
    const isOver = now() >= told.until
    const times = { toldAt: told.at, sentAt: now() }
    if (told.units > inFlight) return { against: isOver ? 'next window' : 'units', ...times }
    return isOver ? { against: 'wait', ...times } : undefined
  }

  return async (request) => {
    const promise = promiseNow()
    inFlight += 1
    const response = await send(request)
    inFlight -= 1
    onResponse(response.status)
    if (response.status === 429 && promise) onBroken(promise)
    told = readTold(response.headers, now()) ?? told
    return response
  }
}

function readTold(headers: Headers, now: number): Told | undefined {
  const remaining = headers.get('X-RateLimit-Remaining')
  if (remaining === null) return undefined
  const wait = headers.get('Retry-After')
  const until = wait === null ? Number(headers.get('X-RateLimit-Reset')) * 1_000 : now + Number(wait) * 1_000
  return { at: now, units: wait === null ? Number(remaining) : 0, until }
}
