import { expect, onTestFinished, test, vi } from 'vitest'
import type { PetstoreClient } from '../../src/client.ts'
import type { WaitingCall } from '../../src/devtools.ts'
import { json, networkFailure, respondWith, setup, startOfTests, watch } from './client.setup.ts'

const reasonsOf = (client: PetstoreClient) => client.rateLimit.inspect().waiting.map(({ reason }) => reason)

/** The only call that waits. */
function waitOf(client: PetstoreClient): WaitingCall | undefined {
  const { waiting } = client.rateLimit.inspect()
  expect(waiting).toHaveLength(1)
  return waiting[0]
}

const quota = (remaining: number, secondsToReset: number) => ({
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(startOfTests / 1_000 + secondsToReset),
})

test('inspect is empty before the first call, and when no call waits', async () => {
  const { client, run } = setup()
  expect(client.rateLimit.inspect()).toMatchObject({
    at: startOfTests,
    waiting: [],
    record: { windows: [], pages: {} },
  })
  watch(client.listCategories())
  await run()
  expect(client.rateLimit.inspect()).toMatchObject({ waiting: [], record: { windows: [{ limit: 60, remaining: 59 }] } })
})

test('cooling-down: the service has refused a request', async () => {
  const { client, service, events, run } = setup()
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  watch(client.createCategory({ name: 'Dog' }))
  await run(startOfTests + 100)
  const call = waitOf(client)
  const until = client.rateLimit.getSnapshot().retryAt
  expect(call).toEqual({
    callId: events[0]?.callId,
    operation: 'createCategory',
    priority: 'user',
    queuedAt: startOfTests,
    deadline: startOfTests + 65_000,
    reason: 'cooling-down',
    retryAt: until,
  })
  expect(client.rateLimit.inspect().record).toMatchObject({ cooldownUntil: until })
  await run()
  expect(client.rateLimit.inspect().waiting).toEqual([])
})

test('failures: two calls in a row of a page had no response', async () => {
  vi.stubGlobal('location', new URL('https://app.test'))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { client, run } = setup({ client: { fetch: networkFailure, retry: { attempts: 1 } } })
  for (const name of ['a', 'b']) watch(client.createCategory({ name }))
  await run(startOfTests + 300) // a failure counts after 100 ms: `unloadTime`
  watch(client.createCategory({ name: 'c' }, { priority: 'background' }))
  await run(startOfTests + 310)
  const call = waitOf(client)
  expect(call).toMatchObject({ reason: 'failures', retryAt: client.rateLimit.inspect().record.breaker.until })
  expect(call?.retryAt).toBeGreaterThan(startOfTests + 1_000) // the first pause takes a second
})

test('probe: the first request of the key is under way', async () => {
  const { client, run } = setup({ service: { latency: 100 } })
  for (const name of ['a', 'b', 'c']) watch(client.createCategory({ name }))
  await run(startOfTests + 50)
  expect(reasonsOf(client)).toEqual(['probe', 'probe'])
  expect(client.rateLimit.inspect().waiting[0]?.retryAt).toBeLessThanOrEqual(startOfTests + 50)
})

test('reserve: the last tenth of the units is kept for people, whose calls leave', async () => {
  const { client, run } = setup({ client: { fetch: respondWith(() => json([], 200, quota(6, 30))) } })
  watch(client.listCategories())
  await run(startOfTests + 10)
  watch(client.listCategories({ priority: 'background' }))
  const person = watch(client.createCategory({ name: 'Dog' }))
  await run(startOfTests + 20)
  expect(person.now.state).not.toBe('pending')
  const call = waitOf(client)
  expect(call).toMatchObject({ reason: 'reserve', priority: 'background', operation: 'listCategories' })
  // There is no reserve in the last ten seconds of the window.
  expect(call?.retryAt).toBeGreaterThan(startOfTests + 20_000)
})

test('pace: no window is known, and the plan has been used up', async () => {
  const { client, run } = setup({
    client: { fetch: respondWith(() => json([])), plan: { limit: 2, per: 60_000 }, retry: { maxWait: 120_000 } },
  })
  for (const id of [1, 2]) {
    watch(client.createCategory({ name: String(id) }))
    await run(startOfTests + id * 10)
  }
  watch(client.createCategory({ name: 'Dog' }))
  await run(startOfTests + 40)
  const call = waitOf(client)
  expect(call?.reason).toBe('pace')
  expect(call?.retryAt).toBeGreaterThanOrEqual(startOfTests + 60_000)
})

test('store: the gate admits the call as soon as the store has recorded its unit', async () => {
  let finish = () => {}
  const stored = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { client, run } = setup({
    client: {
      rateLimitStore: {
        subscribe: () => () => {},
        update: async (_, change) => {
          await stored
          change(undefined)
        },
      },
    },
  })
  const call = watch(client.listCategories())
  await run(startOfTests)
  expect(reasonsOf(client)).toEqual(['store'])
  finish()
  await run()
  expect(call.now.state).toBe('fulfilled')
})

test('calls are listed in the order in which they leave: people first', async () => {
  const { client, service, run } = setup()
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  watch(client.listCategories({ priority: 'background' }))
  await run(startOfTests + 100)
  watch(client.createCategory({ name: 'first' }))
  watch(client.createCategory({ name: 'second' }, { priority: 'background' }))
  await run(startOfTests + 200)
  const { waiting } = client.rateLimit.inspect()
  expect(waiting.map(({ priority, queuedAt }) => [priority, queuedAt - startOfTests])).toEqual([
    ['user', 100],
    ['background', 0],
    ['background', 100],
  ])
})

test('inspect changes nothing, holds no key, and can be written as JSON', async () => {
  const { client, service, run } = setup({ client: { apiKey: 'demo' } })
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  watch(client.createCategory({ name: 'Dog' }))
  await run(startOfTests + 100)
  const before = client.rateLimit.inspect()
  expect(client.rateLimit.inspect()).toEqual(before)
  expect(JSON.parse(JSON.stringify(before))).toEqual(before)
  expect(JSON.stringify(before)).not.toContain('demo')
})
