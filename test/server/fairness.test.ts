import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PetstoreClient } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import type { PetstoreHandler, PetstoreHandlerOptions } from '../../src/server.ts'
import type { PetstoreServiceOptions } from '../../src/testing.ts'
import { startOfTests, watch } from '../client/client.setup.ts'
import type { VirtualClock } from '../rate-limit/virtualClock.ts'
import { pageOrigin, postDog, setupInVirtualTime, visit } from './handler.setup.ts'

afterEach(() => void vi.restoreAllMocks())

interface SetupOptions {
  readonly service?: PetstoreServiceOptions
  readonly handler?: Partial<PetstoreHandlerOptions>
}

/** A handler and its service in virtual time. The cookie names the user. The windows of the quota began 20 s before. */
function setup({ service: serviceOptions = {}, handler: options = {} }: SetupOptions = {}) {
  const base = { plan: 'free', latency: 100 } as const
  const { clock, service, sent, handler, run } = setupInVirtualTime({
    service: { ...base, ...serviceOptions },
    handler: options,
  })
  const post = (user: string, name = user, headers: Record<string, string> = {}) =>
    watch(handler(postDog({ Cookie: user, ...headers }, { name })))
  /** Sends `count` requests at once. */
  const flood = (user: string, count: number) => Array.from({ length: count }, () => post(user))
  /** The status of each response, or the state of one that has not come. */
  const statusesOf = (responses: readonly ReturnType<typeof post>[]) =>
    responses.map(({ now }) => (now.state === 'fulfilled' ? now.value.status : now.state))
  const count = (responses: readonly ReturnType<typeof post>[], status: number | string) =>
    statusesOf(responses).filter((one) => one === status).length
  const responseOf = ({ now }: ReturnType<typeof post>) => {
    if (now.state !== 'fulfilled') throw new Error('There is no response yet.')
    return now.value
  }
  const names = () => service.categories().map(({ name }) => name)
  return { clock, service, handler, sent, run, post, flood, statusesOf, count, responseOf, names }
}

/** The client of a visitor's page, whose own gate believes what the handler says. */
function openPageOf(
  user: string,
  clock: VirtualClock,
  handler: PetstoreHandler,
  onStatus: (status: number) => void,
): PetstoreClient {
  return createClientWith(
    { clock, random: () => 0.5 },
    {
      baseUrl: `${pageOrigin}/api/petstore/v1`,
      rateLimitStore: createMemoryStore(),
      retry: { attempts: 1, maxWait: 0 },
      fetch: async (request) => {
        const { url, method } = request
        const body = await request.text()
        const response = await handler(visit(method, new URL(url).pathname, { Cookie: user }, body))
        onStatus(response.status)
        return response
      },
    },
  )
}

/** Reads the quota from the `X-RateLimit-*` headers, and checks that the fields of the IETF draft say the same. */
function quotaOf({ headers }: Response) {
  const quota = {
    limit: headers.get('X-RateLimit-Limit'),
    remaining: headers.get('X-RateLimit-Remaining'),
    reset: Number(headers.get('X-RateLimit-Reset')),
  }
  const [, remaining, resetIn] = /^"visitor";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '') ?? []
  const sentAt = Date.parse(headers.get('Date') ?? '') / 1_000
  expect(remaining).toBe(quota.remaining)
  expect(Math.abs(sentAt + Number(resetIn) - quota.reset)).toBeLessThanOrEqual(1)
  expect(headers.get('RateLimit-Policy')).toBe(`"visitor";q=${quota.limit}`)
  return quota
}

describe('beside a visitor who sends 300 requests at once', () => {
  test.each([0, 10, 1_000, 9_000])('a person who comes %i ms later gets a response at once', async (after) => {
    const { run, flood, post, statusesOf } = setup()
    flood('greedy', 300)
    await run(after)
    flood('greedy', 300)
    const person = post('ann')
    await run(after === 0 ? 500 : 300)
    expect(statusesOf([person])).toEqual([201])
  })

  test('six people who come one after the other get a response, too, while units are left', async () => {
    const { run, flood, post, statusesOf, sent } = setup()
    flood('greedy', 300)
    await run(1_000)
    // Of the 60 units a tenth is kept for newcomers.
    expect(sent).toHaveLength(54)
    for (const name of ['ann', 'bob', 'cid', 'dan', 'eve', 'fay']) {
      flood('greedy', 50)
      const person = post(name)
      await run(300)
      expect(statusesOf([person])).toEqual([201])
    }
    expect(sent).toHaveLength(60)
    const late = post('gus')
    await run(300)
    expect(statusesOf([late])).toEqual([429])
  })

  test('the rest of the 300 is refused until a unit that is kept for newcomers becomes free', async () => {
    const { run, flood, count, responseOf, sent, service, clock } = setup()
    const responses = flood('greedy', 300)
    await run(1_000)
    expect(count(responses, 201)).toBe(54)
    expect(count(responses, 429)).toBe(246)
    expect(sent).toHaveLength(54)
    expect(service.requests.filter(({ status }) => status !== 201)).toEqual([])
    const refused = responses.map(responseOf).find(({ status }) => status === 429)
    const { limit, remaining, reset } = quotaOf(refused ?? new Response())
    expect({ limit, remaining }).toEqual({ limit: '60', remaining: '0' })
    expect(Math.abs(reset - Math.ceil(startOfTests / 60_000) * 60)).toBeLessThanOrEqual(1)
    expect(await refused?.json()).toMatchObject({ code: 'rate-limit', status: 429 })
    const wait = Number(refused?.headers.get('Retry-After'))
    // A unit that is kept for newcomers may become free before the window ends.
    expect(clock.now() / 1_000 + wait).toBeLessThanOrEqual(reset + 1)
    await run(wait * 1_000)
    const next = flood('greedy', 2)
    await run(1_000)
    expect(count(next, 201)).toBe(1)
  })

  test('that visitor has the whole share again in the next window', async () => {
    const { run, flood, count } = setup()
    flood('greedy', 100)
    await run(61_000)
    const next = flood('greedy', 100)
    await run(1_000)
    expect(count(next, 201)).toBe(54)
  })
})

test('one user alone gets nearly all, and a person who comes late still gets a response', async () => {
  const { run, post, clock, service, handler, statusesOf } = setup({
    service: { plan: [{ limit: 60, per: 60_000 }] },
  })
  const start = Math.ceil(startOfTests / 60_000) * 60_000
  await run(start + 1_000 - clock.now())
  let served = 0
  let refused = 0
  /** Sends one request after the other. After a refusal, waits as long as `Retry-After` says. */
  async function wantAll(): Promise<void> {
    const { status, headers } = await handler(postDog({ Cookie: 'greedy' }))
    if (status === 201) served += 1
    else refused += 1
    const wait = status === 201 ? 0 : Number(headers.get('Retry-After')) * 1_000
    if (clock.now() + wait < start + 60_000) clock.wakeAfter(wait, () => void wantAll())
  }
  void wantAll()
  await run(57_000)
  expect(served).toBe(59)
  expect(refused).toBeLessThan(10)
  const person = post('ann')
  await run(1_000)
  expect(statusesOf([person])).toEqual([201])
  expect(service.requests.filter(({ status }) => status === 429)).toEqual([])
})

test('what light users leave goes to the others before the window ends, and makes no light user wait', async () => {
  const { run, post, clock, service, handler, statusesOf } = setup({
    service: { plan: [{ limit: 1_200, per: 60_000 }] },
  })
  const start = Math.ceil(startOfTests / 60_000) * 60_000
  await run(start + 1_000 - clock.now())
  const served = new Map<string, number>()
  /** Sends requests until 100 have succeeded. After a refusal, waits as long as `Retry-After` says. */
  async function wantMuch(user: string): Promise<void> {
    const { status, headers } = await handler(postDog({ Cookie: user }))
    if (status === 201) served.set(user, (served.get(user) ?? 0) + 1)
    const wait = status === 201 ? 0 : Number(headers.get('Retry-After')) * 1_000
    if ((served.get(user) ?? 0) < 100 && clock.now() + wait < start + 60_000) {
      clock.wakeAfter(wait, () => void wantMuch(user))
    }
  }
  for (let user = 0; user < 25; user += 1) void wantMuch(`heavy ${user}`)
  const light: ReturnType<typeof post>[] = []
  for (let second = 1; second < 58; second += 6) {
    const calls = Array.from({ length: 25 }, (_, user) => post(`light ${user}`))
    light.push(...calls)
    await run(200)
    expect(statusesOf(calls)).toEqual(calls.map(() => 201))
    await run(5_800)
  }
  await run(Math.max(0, start + 59_999 - clock.now()))
  const upstream = service.requests.filter(({ at }) => at < start + 60_000)
  const counts = [...served.values()]
  const total = counts.reduce((sum, units) => sum + units)
  expect(total + light.length).toBeGreaterThanOrEqual(0.97 * 1_200)
  // Jain's fairness index is 1 if all heavy users get the same.
  const jain = total ** 2 / (counts.length * counts.reduce((sum, units) => sum + units ** 2, 0))
  expect(jain).toBeGreaterThanOrEqual(0.99)
  expect(upstream.filter(({ status }) => status === 429)).toEqual([])
})

describe('a quota that does not divide evenly', () => {
  test.each([
    { users: 31, wanted: 6, limit: 60 },
    { users: 50, wanted: 10, limit: 300 },
    { users: 7, wanted: 100, limit: 60 },
  ])('$users users who want $wanted each get nearly all $limit, in equal parts', async ({ users, wanted, limit }) => {
    const { run, flood, count, service } = setup({ service: { plan: [{ limit, per: 60_000 }] } })
    const responses = Array.from({ length: users }, (_, index) => flood(`user ${index}`, wanted))
    await run(2_000)
    const served = responses.map((one) => count(one, 201))
    expect(served.reduce((sum, units) => sum + units)).toBeGreaterThanOrEqual(Math.ceil(0.9 * limit))
    expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(1)
    expect(service.requests.filter(({ status }) => status !== 201)).toEqual([])
  })
})

describe('where all visitors are one user', () => {
  test('they get everything, as from the service itself', async () => {
    const { run, flood, count } = setup({ handler: { authorize: 'everybody' } })
    const responses = flood('any', 100)
    await run(1_000)
    expect(count(responses, 201)).toBe(60)
  })

  test('the server’s own calls are a second user', async () => {
    const { run, flood, count, handler } = setup({ handler: { authorize: 'everybody' } })
    const job = watch(handler.client.createCategory({ name: 'job' }))
    await run(200)
    const responses = flood('any', 100)
    await run(200)
    const other = watch(handler.client.createCategory({ name: 'other job' }))
    await run(200)
    expect(count(responses, 201)).toBeGreaterThanOrEqual(30)
    expect(count(responses, 201)).toBeLessThanOrEqual(40)
    expect([job.now.state, other.now.state]).toEqual(['fulfilled', 'fulfilled'])
  })
})

describe('calls of the server itself', () => {
  test('have one share, whatever their number, and a typed error beyond it', async () => {
    const { run, handler, post, statusesOf, sent } = setup()
    const jobs = Array.from({ length: 100 }, () => watch(handler.client.createCategory({ name: 'job' })))
    await run(1_000)
    expect(sent).toHaveLength(54)
    const person = post('ann')
    await run(300)
    expect(statusesOf([person])).toEqual([201])
    const errors = jobs.flatMap(({ now }) => (now.state === 'rejected' ? [now.error] : []))
    expect(errors).toHaveLength(46)
    expect(errors[0]).toMatchObject({ kind: 'rate-limit', attempts: 0, outcome: 'not-applied' })
  })

  test('use the share of the user that their scope names', async () => {
    const { run, handler, flood, count, sent } = setup()
    for (let job = 0; job < 100; job += 1) {
      void handler.client.createCategory({ name: 'job' }, { scope: 'ann' }).catch(() => {})
    }
    await run(1_000)
    expect(sent).toHaveLength(54)
    const responses = flood('ann', 10)
    await run(300)
    expect(count(responses, 429)).toBe(10)
  })
})

describe('background calls', () => {
  const background = { 'Petstore-Priority': 'background' }

  test('let calls of people go first, also those of other users', async () => {
    const { run, post, names } = setup()
    for (let call = 0; call < 5; call += 1) post('ann', `background ${call}`, background)
    for (let call = 0; call < 5; call += 1) post('bob', `person ${call}`)
    await run(5_000)
    // One background call had entered the client before the first person came.
    const order = names().filter((name) => name !== 'background 0')
    expect(order.slice(-9, -4)).toEqual([0, 1, 2, 3, 4].map((call) => `person ${call}`))
  })

  test.each(['user', 'high', 'BACKGROUND', ''])('%j neither raises nor lowers the priority of a call', async (text) => {
    const { run, post, names } = setup()
    post('eve', 'probe')
    post('ann', 'first')
    post('bob', 'second', { 'Petstore-Priority': text })
    post('cid', 'third')
    await run(2_000)
    expect(names().slice(-4)).toEqual(['probe', 'first', 'second', 'third'])
  })
})

describe('the quota headers', () => {
  test('give each of three users a third, which grows for the only one who stays', async () => {
    const { run, post, responseOf } = setup()
    const remainingOf = async (user: string) => {
      const response = post(user)
      await run(200)
      return Number(quotaOf(responseOf(response)).remaining)
    }
    expect(await remainingOf('ann')).toBe(53)
    expect(await remainingOf('bob')).toBe(19)
    expect(await remainingOf('eve')).toBe(14)
    await run(10_000)
    expect(await remainingOf('ann')).toBeGreaterThan(45)
  })

  test('count the units that waiting calls of the user will take as used', async () => {
    const { run, flood, responseOf } = setup()
    const responses = flood('ann', 40)
    await run(400)
    const announced = responses.map((response) => Number(quotaOf(responseOf(response)).remaining))
    expect(Math.max(...announced)).toBeLessThanOrEqual(53)
    expect(announced[0]).toBeLessThanOrEqual(14)
    expect(announced.at(-1)).toBe(14)
  })

  test('let the gate of each page send just what the handler serves', async () => {
    const { service, handler, run, clock } = setup({ service: { plan: [{ limit: 60, per: 60_000 }] } })
    const statuses: number[] = []
    const pages = ['ann', 'bob', 'eve'].map((user) =>
      openPageOf(user, clock, handler, (status) => statuses.push(status)),
    )
    for (let round = 0; round < 30; round += 1) {
      for (const page of pages) watch(page.createCategory({ name: 'Dog' }))
      await run(150)
    }
    expect(clock.now() - startOfTests).toBeLessThan(40_000)
    // None of them got a 429: where their shares ended, their own gates held them back.
    expect(new Set(statuses)).toEqual(new Set([201]))
    expect(statuses.length).toBeGreaterThanOrEqual(54)
    expect(service.requests.filter(({ status }) => status === 429)).toEqual([])
  })
})

describe('the queue', () => {
  test('is bounded: the user who fills it gets a 503 at once, and others their turn', async () => {
    const { run, flood, post, count, statusesOf } = setup({ handler: { maxQueued: 20 } })
    const responses = flood('greedy', 100)
    await run()
    expect(count(responses, 503)).toBe(80)
    expect(new Set(statusesOf(responses.slice(0, 20)))).toEqual(new Set(['pending']))
    const [response = new Response()] = responses.flatMap(({ now }) => (now.state === 'fulfilled' ? now.value : []))
    expect(response.headers.get('Retry-After')).toBe('1')
    expect(await response.json()).toEqual({ code: 'busy', message: 'This server has too many requests.', status: 503 })
    // The first call has left the queue for the service, so there is one place.
    const persons = [post('ann'), post('bob')]
    await expect.poll(() => statusesOf(responses.slice(18, 20))).toEqual(['pending', 503])
    await run(500)
    expect(statusesOf(persons)).toEqual([201, 201])
    // The calls of `greedy` that were not refused.
    expect(count(responses, 201)).toBe(19)
  })

  test('full of one user’s calls, refuses theirs alone, and no background call of ten others', async () => {
    const { run, flood, post, count, statusesOf } = setup({
      service: { plan: [{ limit: 1_000, per: 60_000 }] },
      handler: { maxQueued: 20 },
    })
    const greedy = flood('greedy', 100)
    await run()
    const others = Array.from({ length: 10 }, (_, index) =>
      post(`user ${index}`, 'Dog', { 'Petstore-Priority': 'background' }),
    )
    flood('greedy', 100)
    await run(2_000)
    expect(statusesOf(others)).toEqual(others.map(() => 201))
    expect(count(greedy, 503)).toBeGreaterThanOrEqual(80)
  })

  test('full of one call for each user, refuses the call that comes', async () => {
    const { run, post, statusesOf } = setup({ handler: { maxQueued: 5 } })
    const users = Array.from({ length: 7 }, (_, index) => post(`user ${index}`))
    await run()
    // The first call has left the queue for the service, so there is one place.
    const late = [post('late'), post('later')]
    await expect.poll(() => statusesOf(late)).toEqual(['pending', 503])
    expect(statusesOf(users).slice(1)).toEqual([...Array(4).fill('pending'), 503, 503])
    await run(1_000)
    expect(statusesOf([...users.slice(0, 5), ...late])).toEqual([...Array(6).fill(201), 503])
  })

  test('has 1,000 places by default', async () => {
    const { run, flood, count } = setup()
    const responses = flood('greedy', 1_100)
    await run()
    expect(count(responses, 503)).toBe(100)
  })
})
