import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { create, createClock, list, listRepeatedly, send, sendMessage } from './requests.ts'

const header = (response: Response, name: string) => response.headers.get(name)

test('all windows of a plan apply, and the headers announce the one with the fewest requests left', async () => {
  const { start, ...clock } = createClock()
  const plan = [
    { limit: 2, per: 60_000 },
    { limit: 3, per: 3_600_000 },
  ]
  const service = createPetstoreService({ plan, now: clock.now })
  const seconds = start / 1000
  const announced = async () => {
    const response = await list(service)
    return ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'].map((name) =>
      header(response, name),
    )
  }
  expect(await announced()).toEqual(['2', '1', `${seconds + 60}`, null])
  expect(await announced()).toEqual(['2', '0', `${seconds + 60}`, null])
  expect(await announced()).toEqual(['2', '0', `${seconds + 60}`, '60'])
  clock.elapse(60_000)
  expect(await announced()).toEqual(['3', '0', `${seconds + 3600}`, null])
  expect(await announced()).toEqual(['3', '0', `${seconds + 3600}`, '3540'])
  clock.elapse(3_540_000)
  expect(await announced()).toEqual(['2', '1', `${seconds + 3660}`, null])
})

test('a 429 has the three headers and no body', async () => {
  const service = createPetstoreService({ plan: [{ limit: 1, per: 1000 }], now: createClock().now })
  await list(service)
  const response = await list(service)
  expect([response.status, await response.text(), header(response, 'Content-Type')]).toEqual([429, '', null])
  expect(header(response, 'X-RateLimit-Remaining')).toBe('0')
})

test('bad requests and unknown addresses count; 429s and 401s do not', async () => {
  const service = createPetstoreService({ plan: [{ limit: 3, per: 60_000 }], now: createClock().now })
  await send(service, '/v1/categories', { json: {} })
  await send(service, '/v1/nothing')
  await list(service, { key: 'wrong' })
  await send(service, '/v1/categories', { method: 'DELETE' })
  await list(service)
  expect(service.requests.map(({ status, counted }) => [status, counted])).toEqual([
    [400, true],
    [404, true],
    [401, false],
    [405, true],
    [429, false],
  ])
})

test('each key has its own quota over all operations', async () => {
  const service = createPetstoreService({
    keys: ['one', 'two'],
    plan: [{ limit: 2, per: 60_000 }],
    now: createClock().now,
  })
  await create(service, 'Fox', { headers: { Authorization: 'Bearer one' } })
  await sendMessage(service, 'Hello', { headers: { Authorization: 'Bearer one' } })
  expect((await list(service, { key: 'one' })).status).toBe(429)
  expect(header(await list(service, { key: 'two' }), 'X-RateLimit-Remaining')).toBe('1')
})

test('X-RateLimit-Reset and Retry-After are rounded up', async () => {
  const clock = createClock()
  const service = createPetstoreService({ plan: [{ limit: 1, per: 1500 }], now: clock.now })
  clock.elapse(101)
  await list(service)
  const response = await list(service)
  expect(header(response, 'X-RateLimit-Reset')).toBe(String(clock.start / 1000 + 2))
  expect(header(response, 'Retry-After')).toBe('2')
})

test('a client that waits for Retry-After is admitted, at any time', async () => {
  const plan = fc.array(
    fc.record({ limit: fc.integer({ min: 1, max: 3 }), per: fc.integer({ min: 1, max: 100_000 }) }),
    { minLength: 1, maxLength: 2 },
  )
  const gap = fc.integer({ min: 0, max: 5000 })
  await fc.assert(
    fc.asyncProperty(plan, fc.array(gap, { maxLength: 10 }), async (windows, gaps) => {
      let now = 1_800_000_000_000
      const service = createPetstoreService({ plan: windows, ban: { after: 0 }, now: () => now })
      for (const pause of gaps) {
        now += pause
        const response = await list(service)
        if (response.status === 200) continue
        now += Number(header(response, 'Retry-After')) * 1000
        expect((await list(service)).status).toBe(200)
      }
    }),
  )
})

test('the Date header shows the clock of the service', async () => {
  const clock = createClock()
  const service = createPetstoreService({ now: clock.now })
  expect(Date.parse(header(await list(service), 'Date') ?? '')).toBe(clock.start)
})

test('a key that keeps sending during a cool-down is banned, but requests in the grace period do not count', async () => {
  const clock = createClock()
  const service = createPetstoreService({
    plan: [{ limit: 1, per: 60_000 }],
    ban: { after: 2, grace: 500, duration: 100_000 },
    now: clock.now,
  })
  expect(await listRepeatedly(service, 5)).toEqual([200, 429, 429, 429, 429])
  clock.elapse(500)
  expect(await listRepeatedly(service, 2)).toEqual([429, 429])
  clock.elapse(1)
  expect(await listRepeatedly(service, 2)).toEqual([429, 429])
  const banned = await list(service)
  expect(banned.status).toBe(403)
  expect(await banned.json()).toEqual({ code: expect.any(String), message: expect.any(String), status: 403 })
  expect(header(banned, 'Retry-After')).toBe('100')
  expect(header(banned, 'X-RateLimit-Limit')).toBe('1')
  clock.elapse(99_999)
  expect(await listRepeatedly(service, 1)).toEqual([403])
  clock.elapse(1)
  expect(await listRepeatedly(service, 2)).toEqual([200, 429])
  expect(service.requests.map(({ coolingDown, banned: isBanned }) => [coolingDown, isBanned]).slice(6, 12)).toEqual([
    [false, false],
    [true, false],
    [true, false],
    [true, true],
    [false, true],
    [false, false],
  ])
})

test('requests of an earlier cool-down do not count for a ban', async () => {
  const clock = createClock()
  const ban = { after: 2, grace: 0 }
  const service = createPetstoreService({ plan: [{ limit: 1, per: 60_000 }], ban, now: clock.now })
  for (let window = 0; window < 3; window += 1) {
    expect(await listRepeatedly(service, 2)).toEqual([200, 429])
    clock.elapse(1)
    expect(await listRepeatedly(service, 2)).toEqual([429, 429])
    clock.elapse(59_999)
  }
})

test('a ban shorter than the cool-down announces the whole wait and does not affect other keys', async () => {
  const clock = createClock()
  const service = createPetstoreService({
    keys: ['demo', 'other'],
    plan: [{ limit: 1, per: 60_000 }],
    ban: { after: 0, grace: 0, duration: 1000 },
    now: clock.now,
  })
  await listRepeatedly(service, 2)
  clock.elapse(1)
  const banned = await list(service)
  expect([banned.status, header(banned, 'Retry-After')]).toEqual([403, '60'])
  expect((await list(service, { key: 'other' })).status).toBe(200)
})

test('by default the fourth request in a cool-down gets the key banned for five minutes; with ban: false none does', async () => {
  for (const [ban, expected] of [
    [undefined, [429, 429, 429, 403, 403]],
    [false, [429, 429, 429, 429, 429]],
  ] as const) {
    const clock = createClock()
    const service = createPetstoreService({
      plan: [{ limit: 1, per: 60_000 }],
      ...(ban === false && { ban }),
      now: clock.now,
    })
    await listRepeatedly(service, 2)
    clock.elapse(1001)
    expect(await listRepeatedly(service, 5)).toEqual(expected)
    expect(service.requests.filter((entry) => entry.coolingDown)).toHaveLength(5)
    clock.elapse(299_999)
    expect(await listRepeatedly(service, 1)).toEqual(ban === false ? [200] : [403])
    clock.elapse(1)
    expect((await listRepeatedly(service, 1))[0]).not.toBe(403)
  }
})
