import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  AuthenticationError,
  BadRequestError,
  InputValidationError,
  isPetstoreError,
  NetworkError,
  type PetstoreClientOptions,
  type PetstoreError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  UnexpectedStatusError,
} from '../../src/client.ts'
import { createQuickClient, type Fetch, failureOf, json, type MakeCall, noResponse } from './client.setup.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'

const list: MakeCall = (client) => client.listCategories()
const create: MakeCall = (client) => client.createCategory({ name: 'Dog' })
const createInvalid: MakeCall = (client) => client.createCategory(JSON.parse('{"description": 7}'))

const body = { code: 'some_code', message: 'In words.', status: 400 }
const cause = new TypeError('fetch failed')
const failByThrowing = () => {
  throw cause
}

const brokenBody = () => new ReadableStream({ start: (controller) => controller.error(cause) })

interface Case {
  readonly what: string
  readonly type: abstract new (...values: never) => PetstoreError
  readonly fetch?: Fetch
  readonly response?: () => Response
  readonly options?: Partial<PetstoreClientOptions>
  readonly call?: MakeCall
  /** All fields of `toJSON()` but `name`, `operation` and `callId`. `attempts` is 1 where it is left out. */
  readonly written: Readonly<Record<string, unknown>>
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

const invalid = 'The service refused the request as invalid (400).'
const unauthorized = 'The API key is missing or invalid (401).'
const redirected = 'The service responded with a redirect, which is never followed.'

const cases: readonly Case[] = [
  {
    what: '400',
    type: BadRequestError,
    response: () => json(body, 400),
    call: create,
    written: {
      kind: 'bad-request',
      message: `createCategory: ${invalid} The service says: In words. (some_code)`,
      outcome: 'not-applied',
      status: 400,
      code: 'some_code',
    },
    details: { status: 400, body },
  },
  {
    what: '401',
    type: AuthenticationError,
    response: () => json({ ...body, status: 401 }, 401),
    written: {
      kind: 'authentication',
      message: `listCategories: ${unauthorized} The service says: In words. (some_code)`,
      outcome: 'not-applied',
      status: 401,
      code: 'some_code',
    },
    details: { status: 401, body: { ...body, status: 401 } },
  },
  {
    what: 'a key that cannot be read',
    type: AuthenticationError,
    options: { apiKey: failByThrowing },
    written: {
      kind: 'authentication',
      message: 'listCategories: The apiKey function failed.',
      attempts: 0,
      outcome: 'not-applied',
      status: undefined,
      code: undefined,
    },
    details: { body: undefined },
    cause,
  },
  {
    what: '429',
    type: RateLimitError,
    response: () => json({ ...body, status: 429 }, 429, { 'Retry-After': '30' }),
    written: {
      kind: 'rate-limit',
      message: expect.stringMatching(
        /^listCategories: The rate limit is used up\. Not before \d{4}-\d\d-\d\dT[\d:.]+Z\. The service says: In words\. \(some_code\)$/,
      ),
      outcome: 'not-applied',
      status: 429,
      retryAt: expect.any(Number),
      code: 'some_code',
    },
    details: { status: 429, body: { ...body, status: 429 } },
  },
  ...[500, 502, 503, 504, 599].map((status) => ({
    what: String(status),
    type: ServerError,
    response: () => json({ ...body, status }, status),
    call: create,
    written: {
      kind: 'server',
      message: `createCategory: The service failed (${status}). The service says: In words. (some_code)`,
      outcome: 'unknown',
      status,
      code: 'some_code',
    },
    details: { status, body: { ...body, status } },
  })),
  ...[402, 403, 404, 405, 409, 422].map((status) => ({
    what: String(status),
    type: UnexpectedStatusError,
    response: () => json({ ...body, status }, status),
    written: {
      kind: 'unexpected-status',
      message: `listCategories: The service responded with the status ${status}. The service says: In words. (some_code)`,
      outcome: 'not-applied',
      status,
      code: 'some_code',
    },
    details: { status, body: { ...body, status } },
  })),
  {
    what: 'an undocumented success',
    type: UnexpectedStatusError,
    response: () => json({ id: 1, name: 'Dog' }, 200),
    call: create,
    written: {
      kind: 'unexpected-status',
      message: 'createCategory: The service responded with the status 200.',
      // A status that is not documented does not say whether the category was created.
      outcome: 'unknown',
      status: 200,
      code: undefined,
    },
  },
  {
    what: 'a redirect that a browser hides',
    type: UnexpectedStatusError,
    response: () => Response.error(),
    call: create,
    written: {
      kind: 'unexpected-status',
      message: `createCategory: ${redirected}`,
      outcome: 'unknown',
      status: 0,
      code: undefined,
    },
  },
  {
    what: 'a success of the wrong shape',
    type: ResponseValidationError,
    response: () => json({ id: 1 }, 201),
    call: create,
    written: {
      kind: 'response-validation',
      message: 'createCategory: The response is not what the operation promises: name: expected a string',
      outcome: 'applied',
      issues: [{ message: 'expected a string', path: ['name'] }],
    },
    details: { issues: [{ message: 'expected a string', path: ['name'] }] },
  },
  {
    what: 'a success with many issues, of which the message shows three',
    type: ResponseValidationError,
    response: () => json([{}, {}, {}]),
    written: {
      kind: 'response-validation',
      message:
        'listCategories: The response is not what the operation promises: 0.id: expected an integer (int64); ' +
        '0.name: expected a string; 1.id: expected an integer (int64); and 3 more',
      // A GET changes nothing.
      outcome: 'not-applied',
      issues: [0, 1, 2].flatMap((row) => [
        { message: 'expected an integer (int64)', path: [row, 'id'] },
        { message: 'expected a string', path: [row, 'name'] },
      ]),
    },
  },
  {
    what: 'an invalid input',
    type: InputValidationError,
    call: createInvalid,
    written: {
      kind: 'input-validation',
      message: 'createCategory: The input is not valid: name: expected a string; description: expected a string',
      attempts: 0,
      outcome: 'not-applied',
      issues: [
        { message: 'expected a string', path: ['name'] },
        { message: 'expected a string', path: ['description'] },
      ],
    },
  },
  {
    what: 'a network failure',
    type: NetworkError,
    fetch: () => Promise.reject(cause),
    call: create,
    written: {
      kind: 'network',
      message: 'createCategory: No response from the service (network failure).',
      outcome: 'unknown',
    },
    cause,
  },
  {
    what: 'a timeout',
    type: TimeoutError,
    fetch: noResponse,
    options: { timeout: 1 },
    call: create,
    written: {
      kind: 'timeout',
      message: 'createCategory: No response within 1 ms.',
      outcome: 'unknown',
    },
    details: { timeout: 1 },
  },
]

describe('the error after', () => {
  test.each(cases.map((each) => [each.what, each] as const))(
    '%s',
    async (_, { type, response, fetch, options, call = list, details = {}, cause: expectedCause, ...each }) => {
      const written: Case['written'] = { name: type.name, attempts: 1, ...each.written }
      const client = createQuickClient(fetch ?? (async () => (response ?? (() => json([])))()), options)
      const error = await failureOf(call(client))
      expect(error).toBeInstanceOf(type)
      expect(error).toBeInstanceOf(Error)
      expect(isPetstoreError(error)).toBe(true)
      const { name, kind, message, attempts, outcome } = written
      expect(error).toMatchObject({ name, kind, message, attempts, outcome, ...details })
      expect(error instanceof Error && error.cause).toBe(expectedCause)
      const operation = call === list ? 'listCategories' : 'createCategory'
      expect(isPetstoreError(error) && error.toJSON()).toStrictEqual({
        ...('status' in written && { retryAt: undefined }), // errors with a status have this field
        ...written,
        operation,
        callId: expect.any(String),
      })
      expect(String(error)).toMatch(new RegExp(`^${String(name)}: ${operation}: `))
    },
  )

  test.each<[string, Fetch, Partial<PetstoreClientOptions>?]>([
    ['a status', async () => json(body, 500, { 'X-Served-By': 'any-host', 'Set-Cookie': 'session=1' })],
    ['a refusal', async () => json(body, 429, { 'Retry-After': '300', 'X-Served-By': 'any-host' })],
    ['an unreadable response', async () => json({}, 201, { 'X-Served-By': 'any-host' })],
    [
      'a response that was cut',
      async () => new Response(brokenBody(), { status: 201, headers: { 'X-Served-By': 'any-host' } }),
    ],
  ])('%s has the call ID of its events, and the headers that can be read', async (_, fetch, options) => {
    const events: (string | undefined)[] = []
    const client = createQuickClient(fetch, { onEvent: ({ callId }) => void events.push(callId), ...options })
    const error = await failureOf(create(client))
    if (!isPetstoreError(error)) throw error
    expect(new Set(events)).toEqual(new Set([error.callId]))
    expect(error.headers?.get('X-Served-By')).toBe('any-host')
    expect(error.headers?.has('Set-Cookie')).toBe(false)
  })

  test('no response has no headers, even if an earlier attempt had a response', async () => {
    const responses = [json(body, 401)]
    const keys = ['second', 'first']
    const client = createQuickClient(async () => responses.pop() ?? failByThrowing(), {
      apiKey: () => keys.pop() ?? '',
    })
    expect(await failureOf(list(client))).toMatchObject({ kind: 'network', attempts: 2, headers: undefined })
  })
})

test('an issue keeps its message and path only, since a schema may add the rejected value', async () => {
  const input = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => ({ issues: [{ message: 'no', path: [{ key: 'name' }, 0], received: value }] }),
    },
  } as const
  const { operations } = await import('../../src/client.ts')
  const call = createQuickClient(noResponse).call({ ...operations.createCategory, input }, { name: 'private text' })
  const error = await failureOf(call)
  expect(error).toMatchObject({ issues: [{ message: 'no' }] })
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ issues: [{ message: 'no', path: ['name', 0] }] })
  expect(JSON.stringify([error, error instanceof InputValidationError && error.issues])).not.toContain('private text')
})

describe('isPetstoreError', () => {
  afterEach(() => vi.resetModules())

  test('recognizes errors of another copy of the package', async () => {
    vi.resetModules()
    const copy = await import('../../src/client.ts')
    const client = copy.createPetstoreClient({
      baseUrl: 'https://petstore.test/v1',
      rateLimitStore: createMemoryStore(),
    })
    const call: MakeCall = (anyClient) => anyClient.createCategory(JSON.parse('{}'))
    const error = await failureOf(call(client))
    expect(error).toBeInstanceOf(copy.InputValidationError)
    expect(error).not.toBeInstanceOf(InputValidationError)
    expect(isPetstoreError(error)).toBe(true)
    expect(copy.isPetstoreError(await failureOf(call(createQuickClient(noResponse))))).toBe(true)
  })

  test.each([
    undefined,
    null,
    'NetworkError',
    {},
    { name: 'NetworkError', kind: 'network' },
    new Error('NetworkError'),
    Object.assign(new Error('network'), { name: 'NetworkError', kind: 'network' }),
    new DOMException('Aborted', 'AbortError'),
    { [Symbol.for('petstore-react.error')]: true },
  ])('is false for %o', (value) => {
    expect(isPetstoreError(value)).toBe(false)
  })
})
