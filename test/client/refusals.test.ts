import { describe, expect, test } from 'vitest'
import { createPetstoreClient } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { type Fetch, failureOf, json, type Setup, setup, startOfTests, statesOf, watch } from './client.setup.ts'
import { createDeferred } from './steps/step.setup.ts'
import { serve } from '../server/handler.setup.ts'

/*
 * The head of a 429 closes the gate, whatever becomes of its body and of the caller. The tests look at what leaves
 * between that head and the end of the cool-down.
 */

const coolDown = 30_000
/** A large quota until the year 2100. */
const plenty = { 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '900', 'X-RateLimit-Reset': '4102444800' }
const refusal = { status: 429, headers: { 'Retry-After': String(coolDown / 1_000) } }

type After = Setup['after']

const latency = 100

/** Resolves after `ms`, or rejects when the request is aborted, as `fetch` does. */
const delay = (after: After, ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    after(ms, resolve)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/** Bodies of refusals that do not arrive as a whole, or only late. */
const bodies: readonly (readonly [string, (after: After) => ReadableStream<Uint8Array>])[] = [
  [
    'takes 3 s',
    (after) =>
      new ReadableStream({
        start: (stream) =>
          after(3_000, () => {
            // The client may have cancelled the stream.
            try {
              stream.enqueue(new TextEncoder().encode('{}'))
              stream.close()
            } catch {}
          }),
      }),
  ],
  ['never ends', () => new ReadableStream({})],
  ['is too large', () => new Blob([new Uint8Array(100_000)]).stream()],
  ['breaks off', () => new ReadableStream({ pull: (stream) => stream.error(new TypeError('terminated')) })],
]

/**
 * A service with a latency of 100 ms. Its first response announces a large quota, so that many calls may be in flight.
 * From one second after `startOfTests` on, each request is refused, until the cool-down has passed.
 */
function setupRefusing(body: (after: After) => ReadableStream<Uint8Array>) {
  const refusedAt: number[] = []
  const fetch: Fetch = async ({ signal }) => {
    const now = clock.now() + latency
    const isRefused = now >= startOfTests + 1_000 && now <= startOfTests + 1_000 + coolDown
    if (isRefused) refusedAt.push(now)
    await delay(after, latency, signal)
    return isRefused ? new Response(body(after), refusal) : json({ id: 1, name: 'Dog' }, 201, plenty)
  }
  const { client, run, after, clock, sent } = setup({ client: { fetch, retry: { maxWait: 60_000 } } })
  /** The requests that left within the cool-down of the first refusal; `undefined` if there was none. */
  const sentInCoolDown = () => {
    const [first] = refusedAt
    return first && sent.filter(({ at }) => at > first && at < first + coolDown)
  }
  return { client, run, after, sentInCoolDown }
}

describe.each(bodies)('after the head of a 429 whose body %s', (_, body) => {
  test('no request leaves within the cool-down, though sixty calls are made, one each 50 ms', async () => {
    const { client, run, after, sentInCoolDown } = setupRefusing(body)
    const calls: ReturnType<typeof watch>[] = []
    for (let index = 0; index < 60; index += 1) {
      after(index * 50, () => calls.push(watch(client.createCategory({ name: String(index) }))))
    }
    await run()
    expect(sentInCoolDown()).toEqual([])
    expect(new Set(statesOf(calls))).toEqual(new Set(['fulfilled']))
  })

  test('no request leaves within the cool-down where every caller aborts during the body', async () => {
    const { client, run, after, sentInCoolDown } = setupRefusing(body)
    for (let index = 0; index < 60; index += 1) {
      after(index * 50, () => {
        const controller = new AbortController()
        watch(client.createCategory({ name: String(index) }, { signal: controller.signal }))
        // The first calls succeed. The others are aborted 50 ms after the head of their response.
        after(index < 10 ? 1_000 : 150, () => controller.abort())
      })
    }
    await run()
    expect(sentInCoolDown()).toEqual([])
  })
})

test('of thirty calls, each aborted in flight, only the first is sent: its 429 closes the gate', async () => {
  const { client, run, after, sent } = setup({
    client: {
      fetch: async ({ signal }) => {
        await delay(after, 200, signal)
        return new Response(null, refusal)
      },
    },
  })
  for (let index = 0; index < 30; index += 1) {
    after(index * 300, () => {
      const controller = new AbortController()
      watch(client.createCategory({ name: String(index) }, { signal: controller.signal }))
      after(100, () => controller.abort())
    })
  }
  await run(startOfTests + 20_000)
  expect(sent).toHaveLength(1)
})

test('over a socket, a 429 whose body never ends keeps every later call back, though its caller has left', async () => {
  let requests = 0
  const arrived = createDeferred<void>()
  const origin = await serve((_, response) => {
    requests += 1
    response.writeHead(429, { 'Retry-After': '30', 'Content-Type': 'application/json' }).write('{')
    arrived.resolve()
  })
  const client = createPetstoreClient({
    baseUrl: `${origin}/v1`,
    rateLimitStore: createMemoryStore(),
    retry: { maxWait: 5_000 },
  })
  const controller = new AbortController()
  const first = failureOf(client.createCategory({ name: 'first' }, { signal: controller.signal }))
  await arrived.promise
  controller.abort('gone')
  expect(await first).toBe('gone')
  const later = await Promise.all(
    Array.from({ length: 9 }, (_, index) => failureOf(client.createCategory({ name: String(index) }))),
  )
  for (const error of later) expect(error).toMatchObject({ kind: 'rate-limit', attempts: 0 })
  expect(requests).toBe(1)
})
