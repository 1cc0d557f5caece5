import { afterEach, expect, test, vi } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { descriptions } from '../operations/exchanges.ts'
import { create, createClock, list, listRepeatedly, send, sendMessage } from './requests.ts'

test('fetch works apart from its service object, with the arguments of the global fetch', async () => {
  const { fetch, baseUrl, quickstartBaseUrl } = createPetstoreService({ categories: [] })
  expect([baseUrl, quickstartBaseUrl]).toEqual(['https://petstore.test/v1', 'https://petstore.test/quickstart'])
  const typedAsGlobal: typeof globalThis.fetch = fetch
  const init = { headers: { Authorization: 'Bearer demo' } }
  const url = `${baseUrl}/categories`
  for (const input of [url, new URL(url), new Request(url)]) expect((await typedAsGlobal(input, init)).status).toBe(200)
  expect((await typedAsGlobal(new Request(url, init))).status).toBe(200)
})

test('only the path of the address matters', async () => {
  const service = createPetstoreService()
  const addresses = service.addresses('http://localhost:6006')
  expect(addresses).toEqual({
    baseUrl: 'http://localhost:6006/v1',
    quickstartBaseUrl: 'http://localhost:6006/quickstart',
  })
  const response = await service.fetch(`${addresses.baseUrl}/categories`, { headers: { Authorization: 'Bearer demo' } })
  expect(response.status).toBe(200)
})

test('the key is checked before anything else', async () => {
  const service = createPetstoreService()
  const statuses = await Promise.all([
    send(service, '/nowhere', { key: 'wrong' }),
    send(service, '/v1/categories', { key: 'wrong', method: 'PUT' }),
    send(service, '/v1/categories', { key: 'wrong', json: {} }),
  ])
  expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401])
})

test('the scheme is Bearer with a capital B, as in the document', async () => {
  const response = await list(createPetstoreService(), { headers: { Authorization: 'bearer demo' } })
  expect(response.status).toBe(401)
})

test('unknown addresses get a 404, and wrong methods a 405, with an Error body', async () => {
  const service = createPetstoreService()
  const tooLong = descriptions.map(({ operation }) => `/v1${operation.path.replace(/\{.*\}/, '7')}/and/more`)
  for (const path of ['/', '/v1', '/v2/categories', '/v1/categories/', '/categories', '/v1/messages', ...tooLong]) {
    const response = await send(service, path)
    expect(await response.json()).toEqual({ code: 'not_found', message: expect.any(String), status: 404 })
  }
  const response = await send(service, '/v1/categories', { method: 'HEAD' })
  const allowed = descriptions.flatMap(({ operation: { path, method } }) => (path === '/categories' ? [method] : []))
  expect(response.status).toBe(405)
  expect(response.headers.get('Allow')?.split(', ').toSorted()).toEqual(allowed.toSorted())
  expect(await response.json()).toEqual({ code: 'method_not_allowed', message: expect.any(String), status: 405 })
})

test('operations whose payload is not shown say how to set a response', async () => {
  const service = createPetstoreService()
  const response = await send(service, '/v1/pets/7')
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ message: expect.stringContaining('"operations"') })
  expect(service.requests).toMatchObject([{ operation: 'getPet', applied: false }])
})

test('a 400 names the invalid fields', async () => {
  const service = createPetstoreService()
  const message = async (json: unknown) => (await (await send(service, '/v1/categories', { json })).json()).message
  expect(await message({ name: 7 })).toBe('name: expected a string')
  expect(await message({ description: 7 })).toBe('name: expected a string; description: expected a string')
})

test('creating a category requires no Content-Type, because the document requires it for messages only', async () => {
  const service = createPetstoreService()
  const init = { method: 'POST', headers: { 'Content-Type': 'text/plain' } }
  expect((await send(service, '/v1/categories', { ...init, body: '{"name":"Fox"}' })).status).toBe(201)
  expect((await send(service, '/quickstart/messages', { ...init, body: '{"message":"Hi"}' })).status).toBe(400)
})

test('messages are stored with their time', async () => {
  const clock = createClock()
  const service = createPetstoreService({ now: clock.now })
  const first = await (await sendMessage(service, 'One')).json()
  clock.elapse(1500)
  const second = await (await sendMessage(service, 'Two')).json()
  expect(service.messages()).toEqual([first, second])
  expect(second).toEqual({ id: 'msg_2', message: 'Two', status: 'queued', createdAt: '2024-10-04T00:00:01.500Z' })
})

test('`requests` has every request with its outcome', async () => {
  const clock = createClock()
  const service = createPetstoreService({ now: clock.now, plan: [{ limit: 1, per: 60_000 }] })
  await create(service, 'Fox')
  clock.elapse(10)
  await list(service)
  await send(service, '/v1/nothing?a=b', { key: 'wrong' })
  await list(service, { headers: { Authorization: 'Basic demo' } })
  const usual = { respondedAt: clock.start + 10, counted: false, coolingDown: false, banned: false, applied: false }
  const at = clock.start + 10
  const get = { at, method: 'GET', path: '/v1/categories', operation: 'listCategories' }
  expect(service.requests).toEqual([
    {
      ...usual,
      at: clock.start,
      respondedAt: clock.start,
      method: 'POST',
      path: '/v1/categories',
      operation: 'createCategory',
      key: 'demo',
      status: 201,
      counted: true,
      applied: true,
    },
    { ...usual, ...get, key: 'demo', status: 429 },
    { ...usual, at, method: 'GET', path: '/v1/nothing?a=b', operation: undefined, key: 'wrong', status: 401 },
    { ...usual, ...get, key: undefined, status: 401 },
  ])
})

test('reset restores the initial state', async () => {
  const clock = createClock()
  const service = createPetstoreService({
    now: clock.now,
    plan: [{ limit: 3, per: 3_600_000 }],
    ban: { after: 0, grace: 0 },
  })
  const { requests } = service
  const firstList = await (await list(service)).text()
  await create(service, 'Fox')
  await sendMessage(service, 'Hi')
  await list(service)
  clock.elapse(1)
  expect((await list(service)).status).toBe(403)
  service.failNext({ status: 500 }, 5)
  service.reset()
  expect([requests, service.requests, service.messages()]).toEqual([[], [], []])
  expect(await (await list(service)).text()).toBe(firstList)
  expect(await (await create(service, 'Owl')).json()).toMatchObject({ id: 6 })
  expect(await (await sendMessage(service, 'Hi')).json()).toMatchObject({ id: 'msg_1' })
})

test('two services share nothing', async () => {
  const options = { now: createClock().now, plan: [{ limit: 2, per: 60_000 }], categories: [{ name: 'Dog' }] }
  const one = createPetstoreService(options)
  const two = createPetstoreService(options)
  one.failNext({ status: 500 })
  await create(one, 'Lost')
  await create(one, 'Fox')
  await sendMessage(one, 'Hi')
  expect(await listRepeatedly(one, 1)).toEqual([429])
  expect([two.requests, two.messages(), two.categories().length]).toEqual([[], [], 1])
  expect(await listRepeatedly(two, 2)).toEqual([200, 200])
})

afterEach(() => {
  vi.useRealTimers()
})

test('without now and sleep, the service uses the global Date and setTimeout, even if they are fakes', async () => {
  const service = createPetstoreService({ latency: 100 })
  vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date', 'setTimeout'] })
  const response = list(service)
  await vi.advanceTimersByTimeAsync(100)
  expect((await response).headers.get('Date')).toBe(new Date(1_800_000_000_000).toUTCString())
  expect(service.requests).toMatchObject([{ at: 1_800_000_000_050, respondedAt: 1_800_000_000_100 }])
})
