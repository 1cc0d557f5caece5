import { act, cleanup, render } from '@testing-library/react'
import { type ReactElement, StrictMode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CategoryManager, MessageComposer, PetstoreProvider, RateLimitBadge, useCategories } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { hashAtOnce } from '../client/client.setup.ts'
import { optionsFor } from '../renderOnService.tsx'

// jsdom has no IndexedDB.
vi.mock('../../src/rate-limit/stores/recordDatabase.ts', () => {
  const records = new Map<string, unknown>()
  const update = async (name: string, change: (stored: unknown) => unknown) => {
    const changed = change(records.get(name))
    if (changed === records.get(name)) return undefined
    records.set(name, changed)
    return changed
  }
  return { createRecordDatabase: () => ({ update, deleteWhere: async () => {} }) }
})

/** The channels to other tabs that are open. */
const channels = new Set<object>()

class Channel {
  constructor() {
    channels.add(this)
  }

  postMessage(): void {}

  close(): void {
    channels.delete(this)
  }
}

/** Returns a function that names the events of all listeners that were added since and not removed. */
function watchListeners(): () => readonly string[] {
  const spies = [window, document].map((target) => ({
    added: vi.spyOn(target, 'addEventListener'),
    removed: vi.spyOn(target, 'removeEventListener'),
  }))
  return () =>
    spies.flatMap(({ added, removed }) => {
      const isRemoved = (type: string, listener: unknown) =>
        removed.mock.calls.some((call) => call[0] === type && call[1] === listener)
      return added.mock.calls.flatMap(([type, listener]) => (isRemoved(type, listener) ? [] : [type]))
    })
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('indexedDB', {}) // makes the gate use the mock above
  vi.stubGlobal('BroadcastChannel', Channel)
  hashAtOnce()
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** Shows every part that waits, polls or listens. */
function App(): ReactElement {
  useCategories({ refreshInterval: 45_000 })
  return (
    <>
      <CategoryManager />
      <MessageComposer />
      <RateLimitBadge />
    </>
  )
}

/** An app that loads, polls, waits in a cool-down and counts it down, until it is closed. */
async function runApp(): Promise<void> {
  const service = createPetstoreService()
  // With SWR's default cache: in React 18, SWR itself leaves the listeners of any other cache behind.
  const { unmount } = render(
    <StrictMode>
      <PetstoreProvider {...optionsFor(service)} quickstartBaseUrl={service.quickstartBaseUrl}>
        <App />
      </PetstoreProvider>
    </StrictMode>,
  )
  await pass(50_000) // the first poll, after 45 s
  service.failNext({ status: 429, headers: { 'Retry-After': '60' } })
  await pass(46_000) // the second poll, which is refused
  expect(document.body.textContent).toContain('Request limit reached')
  // One of the gate, one for responses.
  expect(channels.size).toBe(2)
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  unmount()
  await pass(600_000) // longer than any of our timers
}

test('an app that has ended leaves no timer, no listener and no channel behind', async () => {
  await runApp()
  // Listeners that a page adds once may stay.
  const listeners = watchListeners()
  await runApp()
  expect(listeners()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
  expect(channels.size).toBe(0)
})
