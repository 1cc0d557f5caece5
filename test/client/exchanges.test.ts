import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  createMemoryStore,
  defineOperation,
  InputValidationError,
  isPetstoreError,
  type Operation,
  operations,
  type PetstoreError,
} from '../../src/client.ts'
import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import { systemClock } from '../../src/rate-limit/Clock.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { type ExpectedJson, type ExpectedResponse, exchanges, type SentRequest } from '../testing/exchanges.ts'
import { watchRequests } from './client.setup.ts'

/** A multiple of every window, so that a window of each kind begins here. */
const start = 20_000 * 86_400_000

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

type Service = ReturnType<typeof createPetstoreService>
interface Way {
  readonly baseUrl: string
  readonly quickstartBaseUrl: string
  readonly fetch: (request: Request) => Promise<Response>
}

const ways: readonly [string, (service: Service) => Promise<Way>][] = [
  ['in process', async (service) => service],
  [
    'over a socket',
    async (service) => {
      const server = await listen(service)
      cleanups.push(server.close)
      return { ...server, fetch: (request) => fetch(request) }
    },
  ],
]

/** What a step means for a client, or why no client can make it. */
function readStep({
  headers,
  body,
}: SentRequest): { readonly key: string | undefined; readonly input: unknown } | string {
  const { Authorization: authorization, 'Content-Type': contentType = '' } = headers
  const key = authorization === undefined ? undefined : /^Bearer ([\x21-\x7e]+)$/.exec(authorization)?.[1]
  if (authorization !== undefined && key === undefined) return 'sends the key as Bearer <key> only'
  if (contentType !== '' && !/^application\/json *(;|$)/.test(contentType)) return 'sends JSON only'
  try {
    return { key, input: body === undefined || body === '' ? undefined : JSON.parse(body) }
  } catch {
    return 'sends nothing that is no JSON'
  }
}

/** The operation of a step, with nothing checked before it is sent. */
function unchecked({ operation, address, method, path }: SentRequest): Operation {
  const { output, success } = operations[operation]
  return defineOperation<unknown, unknown>({
    name: operation,
    method,
    path,
    base: address,
    ...(method === 'POST' && { input: z.unknown() }),
    output,
    success,
  })
}

const made = new Set<string>()

describe.each(ways)('%s', (way, connect) => {
  test.each(exchanges.map((exchange) => [`${exchange.section}: ${exchange.name}`, exchange] as const))(
    '%s',
    async (name, { setup, steps }) => {
      let now = start
      const { key: accepted, categories, windows } = setup
      const service = createPetstoreService({ keys: [accepted], categories, plan: windows, ban: false, now: () => now })
      const { fetch: send, baseUrl, quickstartBaseUrl } = await connect(service)
      const { sent, fetch } = watchRequests(send)
      let isAsSetUp = true

      /** By a client of its own each time: one client would see a used-up limit coming, and not send. */
      const make = async (request: SentRequest, key: string | undefined, input: unknown) => {
        const client = createClientWith(
          { clock: { ...systemClock, now: () => now }, random: Math.random },
          {
            baseUrl,
            quickstartBaseUrl,
            apiKey: key,
            fetch,
            rateLimitStore: createMemoryStore(),
            retry: { attempts: 1, maxWait: 0 },
          },
        )
        sent.length = 0
        const documented: Operation = operations[request.operation]
        const isValid = !(await documented.input?.['~standard'].validate(input))?.issues
        const call = (operation: Operation) => client.call(operation, input).catch((error: unknown) => error)
        const isElsewhere = isValid && request.address !== documented.base
        const first = isElsewhere ? undefined : await call(documented)
        if (isValid && !isElsewhere) return first
        // Refused at once, since the package knows better: so what would the service have said?
        const isRefusedAtOnce = isElsewhere || (first instanceof InputValidationError && sent.length === 0)
        return isRefusedAtOnce ? call(unchecked(request)) : first
      }

      for (const step of steps) {
        if ('elapse' in step) {
          now += step.elapse
          continue
        }
        const { request, response, times = 1 } = step
        const reading = readStep(request)
        if (typeof reading === 'string') continue
        made.add(`${way} ${name}`)
        const { key, input } = reading
        const url = (request.address === 'service' ? baseUrl : quickstartBaseUrl) + request.path
        // Many times in a row: the client begins, and ends.
        for (let count = 2; count < times; count += 1) {
          await service.fetch(new Request(url, { method: request.method, headers: request.headers }))
        }
        for (let count = 0; count < Math.min(times, 2); count += 1) {
          const result = await make(request, key, input)
          expect(sent).toMatchObject([{ method: request.method, url }])
          expect(sent[0]?.headers['authorization']).toBe(request.headers['Authorization'])
          expect(sent[0]?.headers['content-type']).toBe(
            request.body === undefined || input === undefined ? undefined : 'application/json',
          )
          expect(sent[0]?.body ? JSON.parse(sent[0].body) : undefined).toEqual(withoutId(input))
          expect(result).toEqual(expectedResult(response, now))
          expect(written(result)).toMatch(textOf(response))
          expect(result).toEqual(isAsSetUp && response.status === 200 ? categories : result)
        }
        if (request.method !== 'GET') isAsSetUp = false
      }
    },
  )
})

test('most exchanges could be judged on the client', () => {
  expect(made.size).toBeGreaterThan(0.75 * ways.length * exchanges.length)
})

/** The client never sends an id. */
function withoutId(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('id' in input)) return input
  const { id: _id, ...rest } = input
  return rest
}

/** The typed result, or error, that the data asks for. */
function expectedResult({ status, json }: ExpectedResponse, now: number): unknown {
  if (String(status).startsWith('2')) return json ? typed(json) : []
  const kinds: Readonly<Record<string, PetstoreError['kind']>> = {
    400: 'bad-request',
    401: 'authentication',
    429: 'rate-limit',
    '4xx': 'unexpected-status',
  }
  const isAsTold = (error: unknown) => {
    if (
      !isPetstoreError(error) ||
      error.kind !== kinds[status] ||
      error.outcome !== 'not-applied' ||
      error.attempts !== 1
    )
      return false
    if (error.kind === 'rate-limit') return error.retryAt > now && error.retryAt <= now + 86_402_000
    if (!('body' in error)) return false
    const { body } = error
    if (status === '4xx') return error.status !== undefined && error.status >= 400 && error.status < 500
    const hasBody = body?.status === status && typeof body.code === 'string' && typeof body.message === 'string'
    return error.status === status && hasBody
  }
  return expect.toSatisfy(isAsTold, `a ${kinds[status]} error`)
}

/** As the types of the package say it: an id is a string of digits. */
function typed(expected: ExpectedJson, field = ''): unknown {
  if ('is' in expected) return field === 'id' ? String(expected.is) : expected.is
  if ('matches' in expected) return expect.stringMatching(new RegExp(expected.matches))
  if ('a' in expected) return expected.a === 'string' ? expect.any(String) : expect.stringMatching(/^(0|-?[1-9]\d*)$/)
  if ('list' in expected) return expected.list.map((item) => typed(item))
  return Object.fromEntries(Object.entries(expected.fields).map(([name, shape]) => [name, typed(shape, name)]))
}

/** The result as the service must have written it: the ids of categories bare. */
function written(result: unknown): string {
  return JSON.stringify(result).replaceAll(/"id":"(-?\d+)"/g, '"id":$1')
}

function textOf({ status, text }: ExpectedResponse): RegExp {
  if (!String(status).startsWith('2') || text === undefined || typeof text === 'string') return /^/
  return 'matches' in text ? new RegExp(text.matches) : /^/
}
