import { globalFetch } from './globalFetch.ts'
import { type Fault, pendingFault } from './pendingFault.ts'

export type Fetch = (request: Request) => Promise<Response>

/** Seconds. */
const retryAfter = 10
/** In ms. */
const delay = 5_000

/** Returns a `fetch` whose next request meets the fault that is chosen in the panel. */
export function createFaultyFetch(fetch: Fetch = globalFetch): Fetch {
  return (request) => {
    const fault = pendingFault.take()
    return fault ? faults[fault](request, fetch) : fetch(request)
  }
}

/** The global `fetch` with faults. */
export const faultyFetch: Fetch = createFaultyFetch()

const faults: Readonly<Record<Fault, (request: Request, fetch: Fetch) => Promise<Response>>> = {
  refuse: async () => new Response(null, { status: 429, headers: { 'Retry-After': String(retryAfter) } }),
  fail: async () => new Response(null, { status: 503 }),
  lose: async (request, fetch) => {
    await fetch(request)
    throw new TypeError('The developer tools have dropped the response.')
  },
  delay: async (request, fetch) => {
    const response = await fetch(request)
    await sleep(delay, request.signal)
    return response
  },
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
