import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs, timeout } from '../rate-limit/runs.ts'
import { opening, setup, watch } from './client.setup.ts'

/** What becomes of one request: a status, or how it is lost. */
type Fate = number | 'broken' | 'silent'

const fates = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Fate>(429) },
    { weight: 2, arbitrary: fc.constantFrom<Fate>('broken', 'silent', 401, 500, 502, 503, 504) },
    { weight: 1, arbitrary: fc.constantFrom<Fate>(200, 201, 400, 404) },
  ),
  { maxLength: 8 },
)

const attempts = 3

/** Makes one call whose requests meet these fates in turn; any further request succeeds. */
async function perform(isPost: boolean, all: readonly Fate[], hasFreshKey: boolean) {
  const sent: { readonly fate: Fate }[] = []
  let keysRead = 0
  const { client, run } = setup({
    client: {
      retry: { attempts, maxWait: Number.POSITIVE_INFINITY },
      timeout: 5_000,
      plan: { limit: 1_000, per: 1_000 },
      apiKey: () => {
        keysRead += 1
        return hasFreshKey && keysRead > 1 ? 'fresh' : 'first'
      },
      fetch: async () => {
        const fate = all[sent.length] ?? (isPost ? 201 : 200)
        sent.push({ fate })
        if (fate === 'broken') throw new TypeError('fetch failed')
        if (fate === 'silent') return new Promise(() => {})
        const body = fate === 201 ? '{"id":1,"name":"Dogs"}' : fate === 200 ? '[]' : null
        return new Response(body, { status: fate, headers: { 'Retry-After': '1' } })
      },
    },
  })
  const call = watch<unknown>(isPost ? client.createCategory({ name: 'Dogs' }) : client.listCategories())
  await run(opening + 86_400_000)
  return { sent, state: call.now.state }
}

it(
  'G12: a POST is sent again only after a refusal: a 429, or once a 401 with a fresh key',
  () => {
    const check = fc.asyncProperty(fc.boolean(), fates, fc.boolean(), async (isPost, all, hasFreshKey) => {
      const { sent, state } = await perform(isPost, all, hasFreshKey)
      expect(state).not.toBe('pending')
      const again = sent.slice(0, -1)
      expect(again.filter(({ fate }) => fate === 401).length).toBeLessThanOrEqual(hasFreshKey ? 1 : 0)
      const doubtful = again.filter(({ fate }) => fate !== 429 && fate !== 401)
      if (isPost) expect(doubtful).toEqual([])
      // Only failures that may pass are sent again, and no more often than allowed.
      expect(doubtful.length).toBeLessThan(attempts)
      for (const { fate } of doubtful) expect(['broken', 'silent', 502, 503, 504]).toContain(fate)
      const last = sent.at(-1)?.fate
      expect(state === 'fulfilled').toBe(last === (isPost ? 201 : 200))
      // A refusal is never the end.
      expect(last).not.toBe(429)
    })
    return fc.assert(check, runs)
  },
  timeout,
)
