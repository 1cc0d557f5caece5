import { describe, expect, test } from 'vitest'
import type { PetstoreClient } from '../../src/client.ts'
import { type MakeCall, setup, watch } from './client.setup.ts'

/** A client that got a 429 (`Retry-After: 30`) one second ago, and `neighbor`: another client of its key and store. */
async function setupRefused() {
  const all = setup({ client: { retry: { maxWait: 0 } } })
  const { client, anotherClient, service, run, clock, sent } = all
  const neighbor = anotherClient()
  watch(neighbor.listCategories())
  await run()
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  watch(client.createCategory({ name: 'Dog' }))
  await run(clock.now() + 1_000)
  const sentBefore = sent.length
  /** Makes a call with each client. Returns how many requests left, and the states of the calls. */
  const callWith = async (clients: readonly PetstoreClient[], call: MakeCall) => {
    const before = sent.length
    const results = clients.map((one) => watch(call(one)))
    await run(clock.now() + 1_000)
    return { requests: sent.length - before, states: results.map(({ now }) => now.state) }
  }
  return { ...all, neighbor, callWith, sentBefore }
}

const second = 1_000
const day = 86_400 * second
const shifts = {
  '5 s': 5,
  '40 s': 40,
  'an hour': 3_600,
  'a day': 86_400,
  'a month': 30 * 86_400,
  'a year': 365 * 86_400,
}
const calls: Readonly<Record<string, MakeCall>> = {
  GET: (client) => client.listCategories(),
  POST: (client) => client.createCategory({ name: 'Dog' }),
}

describe.each(Object.entries(shifts))('a clock that is set forward by %s in a cool-down', (_, seconds) => {
  test.each(Object.entries(calls))('lets no %s leave before the cool-down is over', async (_method, call) => {
    const { client, neighbor, callWith, shiftClock, run, clock } = await setupRefused()
    shiftClock(seconds * second)
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await callWith([client, neighbor], call)).toEqual({ requests: 0, states: ['rejected', 'rejected'] })
      await run(clock.now() + 4 * second) // the calls took another second
    }
    await run(clock.now() + 6 * second) // now 32 s after the 429
    expect(await callWith([client], call)).toEqual({ requests: 1, states: ['fulfilled'] })
  })

  test('lets nothing leave from a page that begins after the change, if an older page has called since', async () => {
    const { client, anotherClient, callWith, shiftClock } = await setupRefused()
    shiftClock(seconds * second)
    await callWith([client], (one) => one.listCategories())
    expect((await callWith([anotherClient()], (one) => one.listCategories())).requests).toBe(0)
  })

  test('lets no more leave than a window starts with, from pages that begin after the change and know no older page', async () => {
    const { anotherClient, callWith, shiftClock, service } = await setupRefused()
    shiftClock(seconds * second)
    service.failNext({ status: 429, headers: { 'Retry-After': '25' } }, 8)
    const pages = Array.from({ length: 20 }, () => anotherClient())
    const { requests } = await callWith(pages, (one) => one.createCategory({ name: 'Dog' }))
    // A window starts with one request within an hour after a cool-down, later with eight at most: `minInitial`.
    expect(requests).toBeLessThanOrEqual(seconds < 3_600 ? 1 : 8)
    expect((await callWith(pages, (one) => one.createCategory({ name: 'Dog' }))).requests).toBe(0)
  })
})

test('a clock that is set forward and back again makes no cool-down longer', async () => {
  const { client, callWith, shiftClock, run, clock } = await setupRefused()
  shiftClock(day)
  expect((await callWith([client], (one) => one.listCategories())).requests).toBe(0)
  shiftClock(-day)
  expect((await callWith([client], (one) => one.listCategories())).requests).toBe(0)
  await run(clock.now() + 30 * second)
  expect((await callWith([client], (one) => one.listCategories())).requests).toBe(1)
})

test('a reset ends a cool-down also after the clock was set forward', async () => {
  const { client, callWith, shiftClock } = await setupRefused()
  shiftClock(day)
  expect((await callWith([client], (one) => one.listCategories())).requests).toBe(0)
  await client.rateLimit.reset()
  expect((await callWith([client], (one) => one.listCategories())).requests).toBe(1)
})

test('a call that waits leaves when the cool-down is over, although the clock was set forward', async () => {
  const { client, anotherClient, clock, shiftClock, run, sent, sentBefore } = await setupRefused()
  const patient = anotherClient({ retry: { maxWait: 120 * second } })
  const call = watch(patient.listCategories())
  await run(clock.now() + second)
  const opensAt = client.rateLimit.getSnapshot().retryAt ?? 0
  shiftClock(3_600 * second)
  await run(opensAt - 1)
  expect(sent).toHaveLength(sentBefore)
  await run(opensAt + 5 * second)
  expect(call.now.state).toBe('fulfilled')
})
