import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation } from '../../src/client.ts'
import { createPetstoreService, type Fault } from '../../src/testing.ts'
import { create, createClock, list, listRepeatedly, send, sendMessage } from './requests.ts'

const createService = () =>
  createPetstoreService({ categories: [], now: createClock().now, plan: [{ limit: 3, per: 60_000 }] })

test('a status fault responds with an Error body, does no work and uses no quota', async () => {
  const service = createService()
  service.failNext({ status: 503, headers: { 'Retry-After': '7', 'X-RateLimit-Reset': 'garbage', Date: null } })
  const response = await create(service, 'Fox')
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ code: expect.any(String), message: expect.any(String), status: 503 })
  const names = ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Date']
  expect(names.map((name) => response.headers.get(name))).toEqual(['7', '3', '3', 'garbage', null])
  expect(service.requests).toMatchObject([{ status: 503, counted: false, applied: false }])
  expect(service.categories()).toEqual([])
  expect((await create(service, 'Fox')).status).toBe(201)
})

test('a status fault can have a body, such as the page of a gateway', async () => {
  const service = createService()
  service.failNext({ status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad gateway</h1>' })
  const response = await list(service)
  expect(await response.text()).toBe('<h1>Bad gateway</h1>')
  expect(response.headers.get('Content-Type')).toBe('text/html')
})

test.each([204, 304, 429])('status %i has no body unless the fault sets one', async (status) => {
  const service = createService()
  service.failNext({ status })
  const response = await list(service)
  expect([response.status, await response.text()]).toEqual([status, ''])
})

test('lost-before rejects as in a browser, does no work, uses no quota, and is recorded', async () => {
  const service = createService()
  service.failNext({ connection: 'lost-before' })
  await expect(create(service, 'Fox')).rejects.toThrow(new TypeError('Failed to fetch'))
  expect(service.categories()).toEqual([])
  expect(service.requests).toMatchObject([
    { status: undefined, respondedAt: undefined, counted: false, applied: false },
  ])
})

test('lost-after rejects, but the work is done and counted', async () => {
  const service = createService()
  service.failNext({ connection: 'lost-after' })
  await expect(sendMessage(service, 'Hi')).rejects.toThrow(new TypeError('Failed to fetch'))
  expect(service.messages()).toHaveLength(1)
  expect(service.requests).toMatchObject([{ status: undefined, respondedAt: undefined, counted: true, applied: true }])
})

test('malformed-json cuts off the body, but the work is done', async () => {
  const service = createService()
  service.failNext({ body: 'malformed-json' }, 2)
  for (const response of [await create(service, 'Fox'), await list(service)]) {
    expect(response.ok).toBe(true)
    await expect(response.json()).rejects.toThrow(SyntaxError)
  }
  expect(service.categories()).toHaveLength(1)
})

test('wrong-shape replaces the body', async () => {
  const service = createService()
  service.failNext({ body: 'wrong-shape' })
  const response = await create(service, 'Fox')
  expect([response.status, await response.json()]).toEqual([201, { unexpected: true }])
})

test('body and connection faults also apply to a 429', async () => {
  const service = createService()
  await listRepeatedly(service, 3)
  service.failNext({ body: 'malformed-json' })
  const response = await list(service)
  expect([response.status, await response.text()]).toEqual([429, '{'])
  service.failNext({ connection: 'lost-after' })
  await expect(list(service)).rejects.toThrow(TypeError)
})

test('faults apply in order, and only to requests with an accepted key', async () => {
  const service = createService()
  service.failNext({ status: 500 }, 2)
  service.failNext({ status: 501 })
  expect((await list(service, { key: 'wrong' })).status).toBe(401)
  expect((await list(service, { method: 'OPTIONS' })).status).toBe(204)
  expect(await listRepeatedly(service, 4)).toEqual([500, 500, 501, 200])
})

describe('invalid faults are refused', () => {
  const unknown: Fault = JSON.parse('{"connection":"slow"}')
  test.each<[Fault, number, RegExp]>([
    [{ status: 199 }, 1, /status must be a whole number from 200 to 599, not 199/],
    [{ status: 600 }, 1, /not 600/],
    [{ status: 204, body: '' }, 1, /has no body/],
    [{ status: 500 }, 0, /times must be a whole number from 1, not 0/],
    [{ status: 500 }, 1.5, /not 1.5/],
    [unknown, 1, /unknown fault {"connection":"slow"}/],
  ])('%o, %d times', (fault, times, message) => {
    const service = createService()
    expect(() => service.failNext(fault, times)).toThrow(message)
  })
})

test('a fault for one operation waits for a request of that operation', async () => {
  const service = createService()
  service.failNext({ operation: 'createCategory', status: 500 })
  service.failNext({ operation: 'createCategory', connection: 'lost-before' })
  service.failNext({ status: 503 })
  expect(await listRepeatedly(service, 2)).toEqual([503, 200])
  expect((await create(service, 'Fox')).status).toBe(500)
  await expect(create(service, 'Fox')).rejects.toThrow(TypeError)
  expect((await create(service, 'Fox')).status).toBe(201)
})

test('a fault may name an operation that a test registered, and no unknown one', async () => {
  const operation = defineOperation({ name: 'wake', path: '/wake', output: z.unknown() })
  const service = createPetstoreService({ operations: [{ operation, handle: () => ({ body: 1 }) }] })
  service.failNext({ operation: 'wake', status: 500 })
  expect((await send(service, '/v1/wake')).status).toBe(500)
  expect(() => service.failNext({ operation: 'createPet', status: 500 })).toThrow(
    /unknown operation "createPet". Use '.*createCategory.*'/,
  )
})
