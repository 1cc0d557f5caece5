import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import {
  defineOperation,
  type PetstoreClientOptions,
  type PetstoreEvent,
  type RateLimitStore,
} from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import {
  createQuickClient,
  type Fetch,
  failureOf,
  json,
  type MakeCall,
  networkFailure,
  noResponse,
} from './client.setup.ts'

// A line with `canary` is a leak. The rest of the key has a meaning in JSON, regular expressions or replacement patterns.
const key = 'canary$&"\\.*+?^(canary)[canary]|{canary}/<canary>'

const consoleMethods = ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const
const printed: unknown[][] = []
beforeEach(() => {
  printed.length = 0
  for (const method of consoleMethods)
    vi.spyOn(console, method).mockImplementation((...values) => void printed.push(values))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Everything that a log can show of a value. */
const dump = (value: unknown): string =>
  [inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }), JSON.stringify(value), String(value)].join(
    '\n',
  )

function dumpError(error: unknown): string {
  if (!(error instanceof Error)) return dump(error)
  return [dump(error), error.stack, error.message, error.cause === undefined ? '' : dumpError(error.cause)].join('\n')
}

/** A store that records its contents. */
function createRecordingStore(): { store: RateLimitStore; contents: unknown[] } {
  const inner = createMemoryStore()
  const contents: unknown[] = []
  const store: RateLimitStore = {
    update: (name, change) =>
      inner.update(name, (stored) => {
        const changed = change(stored)
        contents.push(name, changed)
        return changed
      }),
    subscribe: inner.subscribe,
  }
  return { store, contents }
}

/** Makes a call that fails, and dumps everything that can be seen of it. */
async function traceOf(fetch: Fetch, call: MakeCall, options: Partial<PetstoreClientOptions> = {}) {
  const events: PetstoreEvent[] = []
  const { store, contents } = createRecordingStore()
  const client = createQuickClient(fetch, {
    apiKey: key,
    rateLimitStore: store,
    onEvent: (event) => void events.push(event),
    ...options,
  })
  const error = await failureOf(call(client))
  return [
    dumpError(error),
    dump(events),
    dump(client),
    dump(client.rateLimit.getSnapshot()),
    dump(contents),
    dump(printed),
  ].join('\n')
}

const leaks = (trace: string) => trace.split('\n').filter((line) => line.includes('canary'))

const list: MakeCall = (client) => client.listCategories()
const strict = defineOperation({ name: 'strict', path: '/strict', output: z.strictObject({}) })
const record = defineOperation({ name: 'record', path: '/record', output: z.record(z.string(), z.number()) })

const throwing = defineOperation({
  name: 'throwing',
  path: '/throwing',
  output: z.pipe(
    z.string(),
    z.transform((text): string => {
      throw new Error(`What is ${text}?`)
    }),
  ),
})

describe('the API key is in no error, event, log or store', () => {
  test.each([400, 401, 404, 500])('when the service repeats it in an HTML page of status %d', async (status) => {
    const response = () => new Response(`<p>${key}</p>`, { status, headers: { 'X-Key': key, 'Retry-After': key } })
    expect(leaks(await traceOf(async () => response(), list))).toEqual([])
  })

  test('when it is part of the name of a header', async () => {
    const headers = { 'X-Canary-Seen': 'yes', 'X-Other': 'kept' }
    const trace = await traceOf(async () => new Response('no', { status: 404, headers }), list, { apiKey: 'Canary' })
    expect(trace).toContain('UnexpectedStatusError')
    expect(trace).toContain('kept')
    expect(leaks(trace)).toEqual([])
  })

  test.each([key, `"${key}`, `{"key": "${key}"`, `[${key}]`])(
    'when the service repeats it in a body that is not JSON: %j',
    async (text) => {
      const trace = await traceOf(async () => json(text), list)
      expect(trace).toContain('expected JSON')
      expect(leaks(trace)).toEqual([])
    },
  )

  test.each<[string, unknown, MakeCall]>([
    ['as the name of an unknown field', { [key]: 1 }, (client) => client.call(strict)],
    ['in the path of an issue', { [key]: 'text' }, (client) => client.call(record)],
    ['in an error that a schema throws', key, (client) => client.call(throwing)],
    ['in a value', [{ id: key, name: 7 }], list],
  ])('when the service repeats it %s', async (_, body, call) => {
    const trace = await traceOf(async () => json(body), call)
    expect(trace).toContain('ResponseValidationError')
    expect(leaks(trace)).toEqual([])
  })

  test('when the service redirects to an address that contains it', async () => {
    const Location = `https://evil.test/?key=${encodeURIComponent(key)}`
    const response = () => new Response(null, { status: 302, headers: { Location } })
    const trace = await traceOf(async () => response(), list)
    expect(trace).toContain('redirect')
    expect(leaks(trace)).toEqual([])
  })

  test.each<[string, Fetch, Partial<PetstoreClientOptions>]>([
    ['the network fails', networkFailure, {}],
    ['the service does not respond', noResponse, { timeout: 1 }],
    ['a header cannot carry it', noResponse, { apiKey: `${key}\n` }],
    ['a response that repeats it is too large', async () => json([key]), { maxResponseSize: 20 }],
    [
      'the store fails',
      networkFailure,
      { rateLimitStore: { update: () => Promise.reject(new Error('full')), subscribe: () => () => {} } },
    ],
  ])('when %s', async (_, fetch, options) => {
    const trace = await traceOf(fetch, list, options)
    expect(trace).toMatch(/NetworkError|TimeoutError|AuthenticationError|too-large/)
    expect(leaks(trace)).toEqual([])
  })

  test('when the apiKey function returns a different key each time', async () => {
    let count = 0
    const fetch: Fetch = async (request) => {
      const sent = request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
      return json({ code: 'expired', message: `${sent} has expired.`, status: 401 }, 401)
    }
    const trace = await traceOf(fetch, list, { apiKey: () => `canary-${++count}` })
    expect(count).toBe(2)
    expect(trace).toContain('[API key] has expired.')
    expect(leaks(trace)).toEqual([])
  })
})
