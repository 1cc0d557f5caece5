import { act } from '@testing-library/react'
import { unstable_serialize } from 'swr'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation } from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress } from '../renderOnService.tsx'
import { holdResponses } from './holdResponses.ts'
import { holdRequests, pass, settle, stopTimeInEachTest } from './query.setup.tsx'
import {
  createWorld,
  type ProviderOptions,
  type Tab,
  TestChannel,
  texts,
  openTestChannelsInEachTest,
} from './sharedResponses.setup.tsx'

stopTimeInEachTest()
openTestChannelsInEachTest()

const second = 1_000
const minute = 60 * second

describe('a response of one tab', () => {
  test('shows in the others, and is as fresh there', async () => {
    const world = createWorld()
    const one = await world.openTab()
    const other = await world.openTab()
    await world.add('Cat')
    await pass(minute)
    one.refresh()
    await settle()
    expect(texts([one, other])).toEqual(['Dog,Cat', 'Dog,Cat'])
    expect(other.updatedAt()).toBe(Date.now())
    expect(world.gets()).toBe(2)
    await pass(20 * second)
    act(() => void window.dispatchEvent(new Event('focus')))
    await pass(second)
    expect(world.gets()).toBe(2)
  })

  test('is enough for a tab that opens while it is fresh', async () => {
    const world = createWorld()
    await world.openTab()
    const loadedAt = Date.now()
    await pass(20 * second)
    const other = await world.openTab()
    expect(other.text()).toBe('Dog')
    expect(other.updatedAt()).toBe(loadedAt)
    await pass(second)
    expect(world.gets()).toBe(1)
  })

  test('is passed on by a tab that got it from another one', async () => {
    const world = createWorld()
    const { channel } = await world.openTab()
    await world.openTab()
    if (channel) channel.isFrozen = true
    const last = await world.openTab()
    await pass(second)
    expect(last.text()).toBe('Dog')
    expect(world.gets()).toBe(1)
  })

  test('reaches a hidden tab, which sends no request itself until it is visible', async () => {
    const world = createWorld()
    const one = await world.openTab()
    const other = await world.openTab()
    await world.add('Cat')
    await pass(second)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    one.refresh()
    await settle()
    expect(other.text()).toBe('Dog,Cat')
    await pass(second)
    act(() => other.channel?.onmessage?.({ data: { type: 'invalidate', at: Date.now(), query: '@"listCategories",' } }))
    await pass(10 * second)
    expect(world.gets()).toBe(2)
    vi.restoreAllMocks()
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await pass(second)
    expect(world.gets()).toBe(3)
  })
})

test('a clear in one tab empties the others, which keep nothing for tabs that open', async () => {
  const world = createWorld()
  const tabs = await world.openTabs(2, { revalidateOnFocus: false })
  act(() => tabs[0]?.client().clear())
  await pass(second)
  expect(texts(tabs)).toEqual(['nothing yet', 'nothing yet'])
  expect(world.gets()).toBe(1)
  const next = await world.openTab()
  await pass(second)
  expect(next.text()).toBe('Dog')
  expect(world.gets()).toBe(2)
})

test('a tab keeps the latest responses for others, up to five million characters', async () => {
  const getText = defineOperation({
    name: 'getText',
    path: '/texts/{id}',
    input: z.object({ id: z.string() }),
    output: z.string(),
  })
  const handle = () => ({ body: 'x'.repeat(2_000_000) })
  const { openTab } = createWorld(createPetstoreService({ operations: [{ operation: getText, handle }] }))
  const { client, channel } = await openTab()
  for (const id of ['1', '2', '3']) await act(() => client().call(getText, { id }))
  await settle()
  const other = new TestChannel(channel?.name ?? '')
  const queryOf = (id: string) => unstable_serialize(['getText', { id }])
  TestChannel.sent.length = 0
  other.postMessage({ type: 'ask', at: 0 })
  await settle()
  const [, ...responses] = TestChannel.sent
  expect(responses).toMatchObject([
    { type: 'response', query: queryOf('2') },
    { type: 'response', query: queryOf('3') },
  ])
})

describe('nothing is shared', () => {
  interface Difference {
    readonly what: string
    readonly first: Partial<ProviderOptions>
    readonly other?: Partial<ProviderOptions>
  }
  test.each<Difference>([
    { what: 'where neither a scope nor a key says whose the data are', first: { apiKey: () => 'demo' } },
    { what: 'between scopes', first: { scope: 'alice' }, other: { scope: 'bob' } },
    { what: 'between keys', first: { apiKey: 'demo' }, other: { apiKey: 'other' } },
    { what: 'between addresses', first: { baseUrl: newAddress() }, other: { baseUrl: newAddress() } },
    { what: 'with shareResponses={false}', first: { shareResponses: false } },
    { what: 'where the rate limit is kept in memory', first: { rateLimitStore: createMemoryStore() } },
  ])('$what', async ({ first, other = first }) => {
    const world = createWorld()
    await world.openTab(first)
    await world.openTab(other)
    await pass(second)
    expect(world.gets()).toBe(2)
  })

  test('of a call with a scope of its own', async () => {
    const world = createWorld()
    const one = await world.openTab()
    const other = await world.openTab()
    await world.add('Cat')
    await pass(second)
    await one.client().listCategories({ scope: 'a visitor' })
    await settle()
    expect(other.text()).toBe('Dog')
  })

  test('of a text that has the key in it', async () => {
    const world = createWorld(createPetstoreService({ categories: [{ name: 'demo' }] }))
    await world.openTab()
    await world.openTab()
    await pass(second)
    expect(world.gets()).toBe(2)
    expect(JSON.stringify(TestChannel.sent)).not.toContain('demo')
  })
})

describe('a write', () => {
  test('shows in the other tabs without a GET', async () => {
    const world = createWorld()
    const one = await world.openTab()
    const other = await world.openTab()
    one.create('Cat')
    await settle()
    expect(texts([one, other])).toEqual(['Dog,Cat', 'Dog,Cat'])
    expect(world.gets()).toBe(1)
  })

  test('still shows after the response to a GET that another tab sent before it', async () => {
    const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
    const { hold, fetch } = holdResponses(service)
    const world = createWorld(service)
    const one = await world.openTab()
    const other = await world.openTab({ fetch })
    await pass(minute)
    const list = hold('GET')
    other.refresh()
    await settle()
    one.create('Cat')
    await pass(100)
    list.letGo()
    await pass(second)
    expect(texts([one, other])).toEqual(['Dog,Cat', 'Dog,Cat'])
  })

  test('reaches other tabs if its tab invalidates the data, also where that tab does not show them', async () => {
    const world = createWorld()
    const one = await world.openTab({}, { enabled: false })
    const others = [await world.openTab(), await world.openTab()]
    await pass(second)
    await world.add('Cat')
    one.invalidate()
    await pass(second)
    expect(texts(others)).toEqual(['Dog,Cat', 'Dog,Cat'])
    expect(world.gets()).toBe(2)
  })

  test('whose outcome is unknown makes all tabs load the list again, with one GET', async () => {
    const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
    const world = createWorld(service)
    const one = await world.openTab(
      {
        fetch: async (request) => {
          const response = await service.fetch(request)
          if (request.method === 'POST') throw new TypeError('The connection was lost.')
          return response
        },
      },
      { enabled: false },
    )
    const other = await world.openTab()
    one.create('Cat')
    await pass(5 * second)
    expect(other.text()).toBe('Dog,Cat')
    expect(world.gets()).toBe(2)
  })
})

const refreshInterval = 10 * second

describe('six tabs together', () => {
  test.each([0, 0.02, 0.1, 0.3, 0.5])(
    'poll about as often as one tab, at a latency of %d intervals',
    async (latencyInIntervals) => {
      const world = createWorld(createPetstoreService({ latency: latencyInIntervals * refreshInterval }))
      await world.openTabs(6, { refreshInterval })
      await pass(2 * refreshInterval)
      const before = world.gets()
      await pass(60 * refreshInterval)
      const gets = world.gets() - before
      // One tab alone sends 60. Several may poll a tenth more often, or leave a poll out while a request is late.
      expect(gets).toBeLessThanOrEqual(66)
      expect(gets).toBeGreaterThanOrEqual(54)
    },
  )

  test.each([0, 100, 1_000])('load once when they open at the same moment, at a latency of %d ms', async (latency) => {
    const world = createWorld(createPetstoreService({ latency }))
    await world.openTabs(6)
    await pass(refreshInterval)
    expect(world.gets()).toBe(1)
  })

  test.each([0, 100, 1_000])('load once after an invalidation, at a latency of %d ms', async (latency) => {
    const world = createWorld(createPetstoreService({ latency, categories: [{ name: 'Dog' }] }))
    const tabs = await world.openTabs(6)
    await pass(refreshInterval)
    const added = world.add('Cat')
    await pass(refreshInterval)
    await added
    tabs[0]?.invalidate()
    await pass(refreshInterval)
    expect(world.gets()).toBe(2)
    expect(texts(tabs)).toEqual(Array(6).fill('Dog,Cat'))
  })
})

describe('polling', () => {
  /** The times of all GETs, in s since the first one. */
  const times = ({ service }: ReturnType<typeof createWorld>) => {
    const all = service.requests.map(({ at }) => at)
    return all.map((at) => (at - (all[0] ?? 0)) / second)
  }

  test.each([
    ['is closed', (tab: Tab) => tab.close()],
    [
      'is frozen',
      (tab: Tab) => {
        if (tab.channel) tab.channel.isFrozen = true
      },
    ],
  ])('goes on within a tenth of the interval when the tab that polls %s', async (_, end) => {
    const world = createWorld()
    const [poller, ...others] = await world.openTabs(3, { refreshInterval })
    await pass(5 * refreshInterval)
    await world.add('Cat')
    if (poller) end(poller)
    await pass(1.1 * refreshInterval)
    expect(texts(others)).toEqual(['Dog,Cat', 'Dog,Cat'])
    expect(times(world).at(-1)).toBeLessThanOrEqual(61) // 5 + 1.1 intervals
  })
})

describe('tabs that load at the same time', () => {
  test('wait for the response to the tab that has sent the request, even if it is slow', async () => {
    const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
    const { release, fetch } = holdRequests(service.fetch)
    const world = createWorld(service)
    const first = await world.openTab({ fetch })
    const other = await world.openTab()
    await pass(2 * second)
    expect(texts([first, other])).toEqual(['nothing yet', 'nothing yet'])
    release()
    await pass(second)
    expect(texts([first, other])).toEqual(['Dog', 'Dog'])
    expect(world.gets()).toBe(1)
  })

  test('wait at most five seconds for a tab that gets no response', async () => {
    const world = createWorld()
    await world.openTab({ fetch: () => new Promise(() => {}) })
    const other = await world.openTab()
    await pass(6 * second)
    expect(other.text()).toBe('Dog')
  })
})

describe('other code of the origin', () => {
  test.each([
    ['no fields', null],
    ['an unknown type', { type: 'constructor' }],
    ['no time', { type: 'clear' }],
    ['a time that is no number', { type: 'invalidate', at: Number.NaN, query: '@"listCategories",' }],
    ['no query', { type: 'response', at: 1e15, text: '[]' }], // 1e15: newer than all responses
    ['no text', { type: 'response', at: 1e15, query: '@"listCategories",null,', text: 1 }],
    ['no JSON', { type: 'response', at: 1e15, query: '@"listCategories",null,', text: '[' }],
    [
      'rows that the schema refuses',
      { type: 'response', at: 1e15, query: '@"listCategories",null,', text: '[{"id":1}]' },
    ],
    ['a category without a name', { type: 'created', at: 1e15, text: '{"id":1}' }],
  ])('changes nothing with a message that has %s', async (_, data) => {
    const world = createWorld()
    const tab = await world.openTab()
    await pass(second)
    act(() => tab.channel?.onmessage?.({ data }))
    await pass(second)
    expect(tab.text()).toBe('Dog')
    expect(world.gets()).toBe(1)
  })

  test('does not end the sharing with a message whose time is tomorrow', async () => {
    const world = createWorld()
    const one = await world.openTab()
    const other = await world.openTab()
    act(() => other.channel?.onmessage?.({ data: { type: 'leave', at: Date.now() + 24 * 60 * minute } }))
    await pass(second)
    await world.add('Cat')
    one.refresh()
    await settle()
    expect(other.text()).toBe('Dog,Cat')
  })
})

describe('after a sign-out', () => {
  const options = { scope: 'alice' }

  test('no tab gets rows from before it', async () => {
    const world = createWorld()
    const one = await world.openTab(options)
    await world.openTab(options)
    await world.add('Cat')
    one.close()
    await pass(second)
    const again = await world.openTab(options)
    await pass(second)
    expect(again.text()).toBe('Dog,Cat')
    expect(world.gets()).toBe(2)
  })

  test('a response that was still on its way does not reach a tab that opens later', async () => {
    const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
    const { release, fetch } = holdRequests(service.fetch)
    const world = createWorld(service)
    const one = await world.openTab(options)
    const slow = await world.openTab({ ...options, fetch })
    slow.refresh()
    await settle()
    one.close()
    await pass(second)
    const again = await world.openTab({ ...options, fetch: () => new Promise(() => {}) })
    release()
    await settle()
    expect(slow.text()).toBe('Dog')
    expect(again.text()).toBe('nothing yet')
  })
})
