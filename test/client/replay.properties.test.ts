import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs, timeout } from '../rate-limit/runs.ts'
import { setup, startOfTests, watch } from './client.setup.ts'

/** The outcome of one request: a status, a failed connection or no response. */
type Outcome = number | 'broken' | 'silent'

const outcomes = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Outcome>(429) },
    { weight: 2, arbitrary: fc.constantFrom<Outcome>('broken', 'silent', 401, 500, 502, 503, 504) },
    { weight: 1, arbitrary: fc.constantFrom<Outcome>(200, 201, 400, 404) },
  ),
  { maxLength: 8 },
)

const attempts = 3

/** Makes one call whose requests have these outcomes in turn. Further requests succeed. */
async function perform(isPost: boolean, planned: readonly Outcome[], hasFreshKey: boolean) {
  const sent: { readonly outcome: Outcome }[] = []
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
        const outcome = planned[sent.length] ?? (isPost ? 201 : 200)
        sent.push({ outcome })
        if (outcome === 'broken') throw new TypeError('fetch failed')
        if (outcome === 'silent') return new Promise(() => {})
        const body = outcome === 201 ? '{"id":1,"name":"Dogs"}' : outcome === 200 ? '[]' : null
        return new Response(body, { status: outcome, headers: { 'Retry-After': '1' } })
      },
    },
  })
  const call = watch<unknown>(isPost ? client.createCategory({ name: 'Dogs' }) : client.listCategories())
  await run(startOfTests + 86_400_000)
  return { sent, state: call.now.state }
}

it(
  'G12: a POST is sent again only after a refusal: a 429, or once a 401 with a fresh key',
  () => {
    const check = fc.asyncProperty(fc.boolean(), outcomes, fc.boolean(), async (isPost, planned, hasFreshKey) => {
      const { sent, state } = await perform(isPost, planned, hasFreshKey)
      expect(state).not.toBe('pending')
      const replayed = sent.slice(0, -1)
      expect(replayed.filter(({ outcome }) => outcome === 401).length).toBeLessThanOrEqual(hasFreshKey ? 1 : 0)
      const doubtful = replayed.filter(({ outcome }) => outcome !== 429 && outcome !== 401)
      if (isPost) expect(doubtful).toEqual([])
      // A call is sent again after a temporary failure only, and within its attempts.
      expect(doubtful.length).toBeLessThan(attempts)
      for (const { outcome } of doubtful) expect(['broken', 'silent', 502, 503, 504]).toContain(outcome)
      const last = sent.at(-1)?.outcome
      expect(state === 'fulfilled').toBe(last === (isPost ? 201 : 200))
      // A 429 never ends a call: maxWait is Infinity.
      expect(last).not.toBe(429)
    })
    return fc.assert(check, runs)
  },
  timeout,
)
