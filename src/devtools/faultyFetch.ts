import { createListeners } from '../base/listeners.ts'

/** A fault of the next request. */
export type InjectedFault = 'refuse' | 'fail' | 'lose' | 'delay'

interface PendingFaultState {
  /** `undefined`: the next request is left alone. */
  readonly fault: InjectedFault | undefined
  /** Whether any request has gone through a `fetch` that can cause faults. */
  readonly isConnected: boolean
}

const listeners = createListeners()
let state: PendingFaultState = { fault: undefined, isConnected: false }

function set(next: PendingFaultState): void {
  state = next
  listeners.call()
}

/** The fault of the page's next request. The panel sets it, and `fetch` takes it: nothing else connects the two. */
export const pendingFault = {
  getSnapshot: (): PendingFaultState => state,
  subscribe: listeners.add,
  set: (fault: InjectedFault | undefined): void => set({ ...state, fault }),
  /** The fault for a request that leaves now. The next one is left alone. */
  take: (): InjectedFault | undefined => {
    const { fault } = state
    if (fault || !state.isConnected) set({ fault: undefined, isConnected: true })
    return fault
  },
}

type Fetch = (request: Request) => Promise<Response>

/** Seconds. */
const retryAfter = 10
/** In ms. */
const delay = 5_000

/**
 * Returns a `fetch` whose next request meets the fault that is chosen in the panel.
 *
 * @param fetch - default: the global `fetch`, looked up at each call, since tests and tools replace it
 */
export function createFaultyFetch(fetch: Fetch = (request) => globalThis.fetch(request)): Fetch {
  return (request) => {
    const fault = pendingFault.take()
    return fault ? faults[fault](request, fetch) : fetch(request)
  }
}

/** The global `fetch` with faults. */
export const faultyFetch: Fetch = createFaultyFetch()

const faults: Readonly<Record<InjectedFault, (request: Request, fetch: Fetch) => Promise<Response>>> = {
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
