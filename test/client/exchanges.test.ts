import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  createPetstoreClient,
  defineOperation,
  InputValidationError,
  isPetstoreError,
  type Operation,
  operations,
  type PetstoreError,
} from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import { systemClock } from '../../src/base/Clock.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { descriptions, exchanges } from '../operations/exchanges.ts'
import type { ExpectedJson, ExpectedResponse, SentRequest } from '../operations/OperationDescription.ts'
import { type ReadRequest, readRequest } from '../operations/readRequest.ts'
import { watchRequests } from './client.setup.ts'

/** A multiple of every window's length, so a window of each plan starts here. */
const start = 20_000 * 86_400_000

const table: Readonly<Record<string, Operation>> = operations

function operationOf({ operation }: SentRequest): Operation {
  const found = table[operation]
  if (!found) throw new Error(`The table has no operation ${operation}.`)
  return found
}

/** The operation of a request without an input schema, so that the client sends any input. */
function unchecked(request: SentRequest): Operation {
  const { operation, address, method, path, body } = request
  const { output, success } = operationOf(request)
  return defineOperation<unknown, unknown>({
    name: operation,
    method,
    path,
    base: address,
    ...(body !== undefined && { input: z.unknown() }),
    output,
    success,
  })
}

const playedExchanges = new Set<string>()

test.each(exchanges.map((exchange) => [`${exchange.section}: ${exchange.name}`, exchange] as const))(
  '%s',
  async (name, { setup, steps }) => {
    let now = start
    const { key: accepted, categories, windows } = setup
    const service = createPetstoreService({ keys: [accepted], categories, plan: windows, ban: false, now: () => now })
    const { baseUrl, quickstartBaseUrl } = service
    const { sent, fetch } = watchRequests(service.fetch)
    let hasWritten = false

    /** Calls with a new client for each request, because one client would know that the limit is used up, and not send. */
    const callWithNewClient = async (request: SentRequest, { key, input, body }: ReadRequest) => {
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
      const documented = operationOf(request)
      const call = (operation: Operation, value: unknown) =>
        client.call(operation, value).catch((error: unknown) => error)
      if (request.address !== documented.base) return call(unchecked(request), body)
      const result = await call(documented, input)
      // The client refuses invalid input without a request. Send it unchecked to see the service's response.
      const isRefusedAtOnce = result instanceof InputValidationError && sent.length === 0
      return isRefusedAtOnce ? call(unchecked(request), body) : result
    }

    for (const step of steps) {
      if ('elapse' in step) {
        now += step.elapse
        continue
      }
      const { request, response, times = 1 } = step
      const read = readRequest(request)
      if (typeof read === 'string') continue
      playedExchanges.add(name)
      const url = (request.address === 'service' ? baseUrl : quickstartBaseUrl) + request.path
      // Of many requests in a row, the client sends the last two. The others only use up the limit.
      for (let count = 2; count < times; count += 1) {
        await service.fetch(new Request(url, { method: request.method, headers: request.headers }))
      }
      for (let count = 0; count < Math.min(times, 2); count += 1) {
        const result = await callWithNewClient(request, read)
        expect(sent).toMatchObject([{ method: request.method, url }])
        expect(sent[0]?.headers['authorization']).toBe(request.headers['Authorization'])
        expect(sent[0]?.headers['content-type']).toBe(read.body === undefined ? undefined : 'application/json')
        expect(sent[0]?.body ? JSON.parse(sent[0].body) : undefined).toEqual(withoutId(read.body))
        expect(result).toEqual(expectedResult(response, now))
        expect(written(result)).toMatch(textOf(response))
        // Before the first write, a list holds exactly what the setup holds.
        expect(result).toEqual(!hasWritten && response.status === 200 ? categories : result)
      }
      if (request.method !== 'GET') hasWritten = true
    }
  },
)

test.each(descriptions)('$operation.name is a method of the client if its payload is shown', async (description) => {
  const { operation, example } = description
  const { sent, fetch } = watchRequests(() => Promise.reject(new TypeError('offline')))
  const methods: Readonly<Record<string, unknown>> = {
    ...createPetstoreClient({
      baseUrl: 'https://petstore.test/v1',
      quickstartBaseUrl: 'https://petstore.test/v1',
      fetch,
      rateLimitStore: createMemoryStore(),
      retry: { attempts: 1 },
    }),
  }
  const method = methods[operation.name]
  expect(typeof method).toBe(example ? 'function' : 'undefined')
  const read = example && readRequest(example.request)
  if (typeof method !== 'function' || typeof read !== 'object') return
  const call = (signal?: AbortSignal): unknown =>
    read.input === undefined ? method({ signal }) : method(read.input, { signal })
  await expect(call()).rejects.toMatchObject({ kind: 'network', operation: operation.name })
  expect(sent.map(({ method: verb, url, body }) => [verb, url, body && JSON.parse(body)])).toEqual([
    [operation.method, `https://petstore.test/v1${example?.request.path}`, read.body ?? ''],
  ])
  await expect(call(AbortSignal.abort('left'))).rejects.toBe('left')
})

test('the client can send requests of more than three quarters of the exchanges', () => {
  expect(playedExchanges.size).toBeGreaterThan(0.75 * exchanges.length)
})

/** The input as the client sends it: without an id, which only the service assigns. */
function withoutId(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('id' in input)) return input
  const { id: _id, ...rest } = input
  return rest
}

const kinds: Readonly<Record<string, PetstoreError['kind']>> = {
  400: 'bad-request',
  401: 'authentication',
  429: 'rate-limit',
}

/** The typed result or error that an exchange expects of the client. */
function expectedResult({ status, json }: ExpectedResponse, now: number): unknown {
  if (String(status).startsWith('2')) return json && typed(json)
  const kind = kinds[status] ?? 'unexpected-status'
  const isExpectedError = (error: unknown) => {
    if (!isPetstoreError(error) || error.kind !== kind || error.outcome !== 'not-applied' || error.attempts !== 1) {
      return false
    }
    if (error.kind === 'rate-limit') return error.retryAt > now && error.retryAt <= now + 86_402_000 // day + margin
    if (!('body' in error)) return false
    const { body } = error
    if (status === '4xx') return error.status !== undefined && error.status >= 400 && error.status < 500
    const hasBody = body?.status === status && typeof body.code === 'string' && typeof body.message === 'string'
    return error.status === status && hasBody
  }
  return expect.toSatisfy(isExpectedError, `a ${kind} error`)
}

/** The result as the package types it: an id is a string of digits. */
function typed(expected: ExpectedJson, field = ''): unknown {
  if ('is' in expected) return field === 'id' ? String(expected.is) : expected.is
  if ('matches' in expected) return expect.stringMatching(new RegExp(expected.matches))
  if ('a' in expected) return expected.a === 'string' ? expect.any(String) : expect.stringMatching(/^(0|-?[1-9]\d*)$/)
  if ('list' in expected) return expected.list.map((item) => typed(item))
  return Object.fromEntries(Object.entries(expected.fields).map(([name, shape]) => [name, typed(shape, name)]))
}

/** The result as the service must have written it, with ids as integer literals. */
function written(result: unknown): string {
  return (JSON.stringify(result) ?? '').replaceAll(/"id":"(-?\d+)"/g, '"id":$1')
}

function textOf({ status, text }: ExpectedResponse): RegExp {
  if (!String(status).startsWith('2') || text === undefined || typeof text === 'string') return /^/
  return 'matches' in text ? new RegExp(text.matches) : /^/
}
