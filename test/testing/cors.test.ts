import { expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { createClock, list, listRepeatedly, send } from './requests.ts'

const now = createClock().now
const preflight = {
  method: 'OPTIONS',
  headers: { Authorization: '', 'Access-Control-Request-Method': 'POST' }, // without the key that `send` would add
}
const corsHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control')))

const exposed = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Date, Deprecation, Sunset'

test('any page may send requests and read the headers, also those of a 400, 429 or 401', async () => {
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
