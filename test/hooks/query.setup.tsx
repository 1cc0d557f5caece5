import { act, cleanup, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import type { SWRConfiguration } from 'swr'
import { afterEach, beforeEach, vi } from 'vitest'
import {
  createPetstoreClient,
  defineOperation,
  type Operation,
  type PetstoreClient,
  PetstoreProvider,
  type RateLimitState,
} from '../../src/index.ts'
import type { Priority } from '../../src/rate-limit/gate.ts'
import * as z from 'zod/mini'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { noResponse, optionsFor, OwnCache } from '../renderOnService.tsx'

/** An app's own operation. */
export const search: Operation<{ readonly term: string }, readonly string[]> = defineOperation({
  name: 'search',
  path: '/search',
  input: z.object({ term: z.string() }),
  output: z.array(z.string()),
})

/** A service whose responses to `search` contain the term and the number of the request: `dog 1`, `dog 2`, … */
export function createSearchService(options: Parameters<typeof createPetstoreService>[0] = {}): PetstoreService {
  let count = 0
  return createPetstoreService({
    operations: [
      {
        operation: search,
        handle: ({ query }) => {
          count += 1
          return { body: [`${query.get('term')} ${count}`] }
        },
      },
    ],
    ...options,
  })
}

type Call = PetstoreClient['call']

/** An app's own client that records the priorities of its calls, and whose quota status a test can set. */
export function recordingClient(
  { fetch }: { readonly fetch: (request: Request) => Promise<Response> },
  scope?: string,
) {
  const real = createPetstoreClient({ ...optionsFor({ fetch }), scope })
  const priorities: (Priority | undefined)[] = []
  let quota: RateLimitState['status'] = 'ok'
  const call: Call = (operation, ...rest) => {
    priorities.push(rest[1]?.priority)
    return real.call(operation, ...rest)
  }
  const client: PetstoreClient = {
    ...real,
    call,
    rateLimit: { ...real.rateLimit, getSnapshot: () => ({ ...real.rateLimit.getSnapshot(), status: quota }) },
  }
  return {
    client,
    priorities,
    setQuota: (status: RateLimitState['status']) => {
      quota = status
    },
  }
}

/**
 * Renders in StrictMode with a new cache. The cache is created first: in StrictMode, SWR would otherwise forget the
 * requests of the render that creates it.
 */
export function renderInCache(ui: ReactElement, swr: SWRConfiguration = {}) {
  const view = renderCache(swr)
  view.rerender(ui)
  return view
}

/** `renderInCache` for components that may suspend: React 19 needs an awaited `act`. */
export async function renderSuspending(ui: ReactElement, swr: SWRConfiguration = {}) {
  const view = renderCache(swr)
  await suspending(() => view.rerender(ui))
  return view
}

function renderCache(swr: SWRConfiguration) {
  const { rerender, ...view } = render(<OwnCache {...swr}>{null}</OwnCache>)
  return { ...view, rerender: (ui: ReactElement) => rerender(<OwnCache {...swr}>{ui}</OwnCache>) }
}

/** `renderInCache` below a provider with this client. */
export function renderOnClient(ui: ReactElement, client: PetstoreClient, swr: SWRConfiguration = {}) {
  const app = (children: ReactElement) => <PetstoreProvider client={client}>{children}</PetstoreProvider>
  const { rerender, ...view } = renderInCache(app(ui), swr)
  return { ...view, rerender: (next: ReactElement) => rerender(app(next)) }
}

/** Runs an action that makes a component suspend. */
export async function suspending<Result>(action: () => Result): Promise<Result> {
  return act(async () => action())
}

/** A `fetch` that sends its requests only after `release`. */
export function holdRequests(fetch: (request: Request) => Promise<Response>) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    release,
    fetch: async (request: Request) => {
      await Promise.race([released, noResponse(request)])
      return fetch(request)
    },
  }
}

/** Stops the clock 20 s into a quota window of a minute: from now on, only `pass` advances it. */
export function stopTime(): void {
  vi.useFakeTimers({
    toFake: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'Date',
      'performance',
      'requestAnimationFrame',
    ],
    now: Date.UTC(2026, 0, 1, 0, 0, 20),
  })
}

/** Stops the clock in each test of the file, and unmounts everything after it. */
export function stopTimeInEachTest(): void {
  beforeEach(stopTime)
  afterEach(() => {
    cleanup()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}

/** Gives requests and renders 20 turns of the event loop once `isDone`. Gives up after 1.5 s if time runs. */
export async function settle(isDone: () => boolean = () => true): Promise<void> {
  const deadline = performance.now() + 1_500
  for (let turns = 0; turns < 20 && performance.now() < deadline; turns += isDone() ? 1 : 0) {
    await act(() => new Promise((resolve) => setImmediate(resolve)))
  }
}

/** Waits longer than an animation frame, by which SWR delays the background request of a component that mounts. */
export async function frame(): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve, 30)))
}

/** Advances the clock. */
export async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms))
  await settle()
}

export async function focus(): Promise<void> {
  act(() => void window.dispatchEvent(new Event('focus')))
  await pass(1) // SWR reacts to `focus` with a delay
}

export async function network(state: 'online' | 'offline'): Promise<void> {
  act(() => void window.dispatchEvent(new Event(state)))
  await pass(1)
}
