import { act, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import type { SWRConfiguration } from 'swr'
import { vi } from 'vitest'
import {
  createPetstoreClient,
  defineOperation,
  type Operation,
  type PetstoreClient,
  PetstoreProvider,
  type Priority,
  type RateLimitState,
} from '../../src/index.ts'
import * as z from 'zod/mini'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { noResponse, optionsFor, OwnCache } from '../renderOnService.tsx'

/** An operation of an app's own: finds names. */
export const search: Operation<{ readonly term: string }, readonly string[]> = defineOperation({
  name: 'search',
  path: '/search',
  input: z.object({ term: z.string() }),
  output: z.array(z.string()),
})

/** A service that responses `search` with the term and the number of the request: `dog 1`, `dog 2`, … */
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

/** A client of an app's own that notes with which priority it is called, and whose quota stands as a test says. */
export function recordingClient(
  { fetch }: { readonly fetch: (request: Request) => Promise<Response> },
  cacheScope?: string,
) {
  const real = createPetstoreClient({ ...optionsFor({ fetch }), cacheScope })
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
 * Renders in StrictMode, on a cache of its own. The cache is there first: in StrictMode, SWR forgets which requests were
 * begun while a cache of an app's own came to be.
 */
export function renderInCache(ui: ReactElement, swr: SWRConfiguration = {}) {
  const view = renderCache(swr)
  view.rerender(ui)
  return view
}

/** The same, for what may suspend: React 19 wants to be awaited then. */
export async function renderSuspending(ui: ReactElement, swr: SWRConfiguration = {}) {
  const view = renderCache(swr)
  await suspending(() => view.rerender(ui))
  return view
}

function renderCache(swr: SWRConfiguration) {
  const { rerender, ...view } = render(<OwnCache {...swr}>{null}</OwnCache>)
  return { ...view, rerender: (ui: ReactElement) => rerender(<OwnCache {...swr}>{ui}</OwnCache>) }
}

/** As `renderInCache`, below a provider of this client. */
export function renderOnClient(ui: ReactElement, client: PetstoreClient, swr: SWRConfiguration = {}) {
  const app = (children: ReactElement) => <PetstoreProvider client={client}>{children}</PetstoreProvider>
  const { rerender, ...view } = renderInCache(app(ui), swr)
  return { ...view, rerender: (next: ReactElement) => rerender(app(next)) }
}

/** Does what makes something suspend. */
export async function suspending<Result>(action: () => Result): Promise<Result> {
  return act(async () => action())
}

/** A `fetch` whose responses wait for `release`. */
export function held(fetch: PetstoreService['fetch']) {
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

/** From now on time passes only in `pass`. */
export function stopTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'requestAnimationFrame'],
    now: Date.UTC(2026, 0, 1, 0, 0, 20),
  })
}

/** Lets happen what needs no time: requests to the service, and rendering. */
export async function settle(isDone: () => boolean = () => true): Promise<void> {
  const deadline = performance.now() + 1_500
  for (let turns = 0; turns < 20 && performance.now() < deadline; turns += isDone() ? 1 : 0) {
    await act(() => new Promise((resolve) => setImmediate(resolve)))
  }
}

/** Lets pass what a mounted component may wait for before it asks in the background. */
export async function frame(): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve, 30)))
}

/** Lets time pass. */
export async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms))
  await settle()
}

/** What the window does when the person comes back to it. */
export async function focus(): Promise<void> {
  act(() => void window.dispatchEvent(new Event('focus')))
  await pass(1) // SWR takes its time
}

/** What the window does when the network comes and goes. */
export async function network(state: 'online' | 'offline'): Promise<void> {
  act(() => void window.dispatchEvent(new Event(state)))
  await pass(1)
}
