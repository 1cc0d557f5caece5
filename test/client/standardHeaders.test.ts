import { expect, test } from 'vitest'
import { type Fetch, opening, setup, statesOf, watch } from './client.setup.ts'

type WriteHeaders = (limit: number, remaining: number, resetIn: number) => Record<string, string>

/** A service whose responses say the same in other fields. */
function rewrite(fetch: Fetch, now: () => number, write: WriteHeaders): Fetch {
  return async (request) => {
    const { status, headers, body } = await fetch(request)
    const read = (name: string) => Number(headers.get(`X-RateLimit-${name}`))
    const quota = write(read('Limit'), read('Remaining'), Math.ceil(read('Reset') - now() / 1_000))
    const date = headers.get('Date')
    return new Response(body, { status, headers: { ...quota, ...(date !== null && { Date: date }) } })
  }
}

const namedWindow: WriteHeaders = (limit, remaining, resetIn) => ({
  RateLimit: `"default";r=${remaining};t=${resetIn}`,
  'RateLimit-Policy': `"default";q=${limit};w=60`,
})

test.each<[string, WriteHeaders]>([
  ['a named window', namedWindow],
  [
    'an earlier draft',
    (limit, remaining, resetIn) => ({ RateLimit: `limit=${limit}, remaining=${remaining}, reset=${resetIn}` }),
  ],
  [
    'a field for each',
    (limit, remaining, resetIn) => ({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetIn),
    }),
  ],
])('the gate stays within the quota that only the IETF fields tell: %s', async (_, write) => {
  const { anotherClient, service, clock, run } = setup({ service: { plan: [{ limit: 10, per: 60_000 }] } })
  const client = anotherClient({ plan: 'business', fetch: rewrite(service.fetch, clock.now, write) })
  const calls = Array.from({ length: 20 }, () => watch(client.createCategory({ name: 'Dog' })))
  await run(opening + 30_000)
  expect(service.requests).toHaveLength(10)
  expect(client.rateLimit.getSnapshot()).toMatchObject({ status: 'exhausted', limit: 10, remaining: 0 })
  // The window ends 40 s after the opening.
  await run(opening + 44_000)
  expect(service.requests).toHaveLength(20)
  await run()
  expect(new Set(statesOf(calls))).toEqual(new Set(['fulfilled']))
  expect(service.requests.filter(({ status }) => status === 429)).toEqual([])
})
