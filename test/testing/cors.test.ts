import { expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { createClock, list, listRepeatedly, send } from './requests.ts'

const now = createClock().now
const preflight = {
  method: 'OPTIONS',
  headers: { Authorization: '', 'Access-Control-Request-Method': 'POST' },
}
const corsHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control') || name === 'vary'))

const exposed = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Date, Deprecation, Sunset'

test('by default any page may send requests and read the headers, also of refusals', async () => {
  const service = createPetstoreService({ now, plan: [{ limit: 2, per: 60_000 }] })
  const responses = [
    await list(service),
    await send(service, '/v1/categories', { json: {} }),
    await list(service),
    await list(service, { key: 'wrong' }),
  ]
  expect(responses.map(({ status }) => status)).toEqual([200, 400, 429, 401])
  const expected = { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed }
  expect(responses.map(corsHeaders)).toEqual(responses.map(() => expected))
})

test('preflights need no key and do not count', async () => {
  const service = createPetstoreService({ now, plan: [{ limit: 1, per: 60_000 }] })
  for (const path of ['/v1/categories', '/quickstart/messages', '/v1/anything']) {
    const response = await send(service, path, preflight)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(corsHeaders(response)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    })
  }
  expect(await listRepeatedly(service, 2)).toEqual([200, 429])
  expect((await send(service, '/v1/categories', preflight)).status).toBe(204)
  expect(service.requests[0]).toMatchObject({ method: 'OPTIONS', status: 204, counted: false, applied: false })
})

test('exposeHeaders: false hides the headers from pages', async () => {
  const service = createPetstoreService({ cors: { exposeHeaders: false } })
  expect(corsHeaders(await list(service))).toEqual({ 'access-control-allow-origin': '*' })
})

test('a specific origin sets Vary: Origin', async () => {
  const service = createPetstoreService({ cors: { origin: 'https://app.test' } })
  expect(corsHeaders(await send(service, '/v1/categories', preflight))).toMatchObject({
    'access-control-allow-origin': 'https://app.test',
    vary: 'Origin',
  })
})

test('cors: false removes all CORS headers, and OPTIONS is a request like any other', async () => {
  const service = createPetstoreService({ cors: false })
  const unauthorized = await send(service, '/v1/categories', preflight)
  const refused = await list(service, { method: 'OPTIONS' })
  expect([unauthorized.status, refused.status]).toEqual([401, 405])
  expect([unauthorized, refused, await list(service)].map(corsHeaders)).toEqual([{}, {}, {}])
})
