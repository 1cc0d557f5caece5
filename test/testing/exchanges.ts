/*
 * What the service and a client say to each other, written by hand from the tables of the service's interface
 * document. Data only, and nothing imported from the library: it judges the in-memory service as well as the client.
 * What the document does not show (values of `code`, the format of Retry-After, …) is not expected here.
 */

/** A text: exactly this one, one that matches a regular expression, or a Unix time (s) at most so far ahead. */
export type ExpectedText = string | { readonly matches: string } | { readonly unixSecondsAhead: number }

/** The shape of a JSON value. Fields that are not named must be absent. */
export type ExpectedJson =
  | { readonly is: string | number | boolean | null }
  | { readonly matches: string }
  | { readonly a: 'string' | 'integer' }
  | { readonly list: readonly ExpectedJson[] }
  | { readonly fields: Readonly<Record<string, ExpectedJson>> }

export interface SentRequest {
  readonly operation: 'listCategories' | 'createCategory' | 'sendMessage'
  /** The base address that the path follows. */
  readonly address: 'service' | 'quickstart'
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly headers: Readonly<Record<string, string>>
  /** The raw text of the body. */
  readonly body?: string
}

export interface ExpectedResponse {
  /** A status, or a class of statuses where the document does not state one. */
  readonly status: number | '2xx' | '4xx'
  readonly headers: Readonly<Record<string, ExpectedText>>
  /** The raw text of the body: for what JSON.parse would hide. */
  readonly text?: ExpectedText
  readonly json?: ExpectedJson
}

type ExchangeStep =
  | {
      readonly request: SentRequest
      readonly response: ExpectedResponse
      /** How many times in a row. Once where left out. */
      readonly times?: number
    }
  /** Time that passes before the next step, in milliseconds. */
  | { readonly elapse: number }

export interface Exchange {
  readonly name: string
  /** The heading of the interface document that says so. */
  readonly section: string
  readonly setup: {
    /** The one API key that is accepted. */
    readonly key: string
    /** Ids are decimal digits in a string: they need not fit a number. */
    readonly categories: readonly { readonly id: string; readonly name: string; readonly description?: string }[]
    /** `per` in milliseconds; all windows hold together. The clock starts where a window of each starts. */
    readonly windows: readonly { readonly limit: number; readonly per: number }[]
  }
  readonly steps: readonly ExchangeStep[]
}

const minute = 60_000
const day = 86_400_000

const plenty = { key: 'key-1', categories: [], windows: [{ limit: 1000, per: minute }] }
const threeAMinute = { ...plenty, windows: [{ limit: 3, per: minute }] }

const authorized = { Authorization: 'Bearer key-1' }
const authorizedJson = { ...authorized, 'Content-Type': 'application/json' }

const list = {
  operation: 'listCategories',
  address: 'service',
  method: 'GET',
  path: '/categories',
  headers: authorized,
} as const
const create = {
  operation: 'createCategory',
  address: 'service',
  method: 'POST',
  path: '/categories',
  headers: authorizedJson,
  body: '{"name":"Rabbit"}',
} as const
const send = {
  operation: 'sendMessage',
  address: 'quickstart',
  method: 'POST',
  path: '/messages',
  headers: authorizedJson,
  body: '{"message":"Hello"}',
} as const

const integer = { matches: '^\\d+$' }
const announced = {
  'X-RateLimit-Limit': integer,
  'X-RateLimit-Remaining': integer,
  'X-RateLimit-Reset': { unixSecondsAhead: 86_400 },
} as const
const json = { ...announced, 'Content-Type': { matches: '^application/json\\s*(;|$)' } }

const anId = { a: 'integer' } as const
const emptyList = { status: 200, headers: json, text: { matches: '^\\s*\\[\\s*\\]\\s*$' } } as const
const rabbit = { status: 201, headers: json, json: { fields: { id: anId, name: { is: 'Rabbit' } } } } as const
const queued = {
  status: '2xx',
  headers: json,
  json: {
    fields: {
      id: { a: 'string' },
      message: { is: 'Hello' },
      status: { is: 'queued' },
      createdAt: { matches: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' },
    },
  },
} as const
const badRequest = {
  status: 400,
  headers: json,
  json: { fields: { code: { a: 'string' }, message: { a: 'string' }, status: { is: 400 } } },
} as const
const unauthorized = {
  status: 401,
  headers: json,
  json: { fields: { code: { a: 'string' }, message: { a: 'string' }, status: { is: 401 } } },
} as const
const tooMany = { status: 429, headers: { ...announced, 'Retry-After': { matches: '\\S' } } } as const

const listing: readonly Exchange[] = [
  {
    name: 'an empty list of categories',
    section: 'GET /categories',
    setup: plenty,
    steps: [{ request: list, response: emptyList }],
  },
  {
    name: 'a list of categories, with and without a description',
    section: 'GET /categories; Category',
    setup: {
      ...plenty,
      categories: [
        { id: '7', name: 'Dog', description: 'Barks' },
        { id: '8', name: 'Cat' },
      ],
    },
    steps: [
      {
        request: list,
        response: {
          status: 200,
          headers: json,
          json: {
            list: [
              { fields: { id: { is: 7 }, name: { is: 'Dog' }, description: { is: 'Barks' } } },
              { fields: { id: { is: 8 }, name: { is: 'Cat' } } },
            ],
          },
        },
      },
    ],
  },
  {
    name: 'text of any language, quotes and digits in names',
    section: 'Category',
    setup: { ...plenty, categories: [{ id: '1', name: '猫 🐈 "\\\n', description: '"id":9007199254740993' }] },
    steps: [
      {
        request: list,
        response: {
          status: 200,
          headers: json,
          json: {
            list: [
              { fields: { id: { is: 1 }, name: { is: '猫 🐈 "\\\n' }, description: { is: '"id":9007199254740993' } } },
            ],
          },
        },
      },
    ],
  },
  ...['9007199254740993', '9223372036854775807', '-9223372036854775808', '0'].map((id) => ({
    name: `the id ${id} as an integer literal`,
    section: 'Category (id: integer, int64)',
    setup: { ...plenty, categories: [{ id, name: 'Dog' }] },
    steps: [
      {
        request: list,
        response: {
          status: 200,
          headers: json,
          text: { matches: `"id"\\s*:\\s*${id}\\s*[,}]` },
          json: { list: [{ fields: { id: anId, name: { is: 'Dog' } } }] },
        },
      },
    ],
  })),
]

const creating: readonly Exchange[] = [
  {
    name: 'a created category, which is then in the list',
    section: 'POST /categories',
    setup: plenty,
    steps: [
      { request: create, response: rabbit },
      {
        request: list,
        response: { status: 200, headers: json, json: { list: [{ fields: { id: anId, name: { is: 'Rabbit' } } }] } },
      },
    ],
  },
  {
    name: 'a category created with a description',
    section: 'NewCategory',
    setup: plenty,
    steps: [
      {
        request: { ...create, body: '{"name":"Rabbit","description":"Soft"}' },
        response: {
          status: 201,
          headers: json,
          json: { fields: { id: anId, name: { is: 'Rabbit' }, description: { is: 'Soft' } } },
        },
      },
    ],
  },
  {
    name: 'the id is assigned by the service, whatever the client sends',
    section: 'NewCategory (the client never sends id)',
    setup: plenty,
    steps: [
      {
        request: { ...create, body: '{"id":424242,"name":"Rabbit"}' },
        response: { ...rabbit, text: { matches: '"id"\\s*:\\s*(?!424242\\b)\\d+' } },
      },
    ],
  },
  ...(
    [
      ['no name', '{}'],
      ['no name but a description', '{"description":"Soft"}'],
      ['a name that is a number', '{"name":7}'],
      ['a name that is null', '{"name":null}'],
      ['a description that is a number', '{"name":"Rabbit","description":7}'],
      ['a description that is null', '{"name":"Rabbit","description":null}'],
      ['a list', '[{"name":"Rabbit"}]'],
      ['a string', '"Rabbit"'],
      ['null', 'null'],
      ['no JSON', '{"name":"Rabbit"'],
      ['nothing', ''],
    ] as const
  ).map(([what, body]) => ({
    name: `a category from a body that holds ${what} is refused, and none is created`,
    section: 'POST /categories (400); Error',
    setup: plenty,
    steps: [
      { request: { ...create, body }, response: badRequest },
      { request: list, response: emptyList },
    ],
  })),
]

const sending: readonly Exchange[] = [
  {
    name: 'a message that is queued',
    section: 'POST /messages; Message',
    setup: plenty,
    steps: [{ request: send, response: queued }],
  },
  {
    name: 'a message whose Content-Type has a parameter',
    section: 'POST /messages',
    setup: plenty,
    steps: [
      {
        request: { ...send, headers: { ...authorized, 'Content-Type': 'application/json; charset=utf-8' } },
        response: queued,
      },
    ],
  },
  {
    name: 'no messages under the base address of the service',
    section: 'POST /messages (not under {base_url})',
    setup: plenty,
    steps: [{ request: { ...send, address: 'service' }, response: { status: '4xx', headers: announced } }],
  },
  ...(
    [
      ['no JSON', 'Hello'],
      ['nothing', ''],
      ['no message field', '{"text":"Hello"}'],
      ['a message that is a number', '{"message":7}'],
      ['a message that is null', '{"message":null}'],
      ['a list', '[]'],
    ] as const
  ).map(([what, body]) => ({
    name: `a message from a body that holds ${what} is refused`,
    section: 'Errors (400, quickstart request)',
    setup: plenty,
    steps: [{ request: { ...send, body }, response: badRequest }],
  })),
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json'].map((type) => ({
    name: `a message with Content-Type ${type} is refused`,
    section: 'Errors (400, quickstart request)',
    setup: plenty,
    steps: [{ request: { ...send, headers: { ...authorized, 'Content-Type': type } }, response: badRequest }],
  })),
]

const authenticating: readonly Exchange[] = (
  [
    ['no Authorization header', {}],
    ['an empty Authorization header', { Authorization: '' }],
    ['the scheme Basic', { Authorization: 'Basic key-1' }],
    ['the scheme alone', { Authorization: 'Bearer' }],
    ['two keys', { Authorization: 'Bearer key-1 key-1' }],
    ['a comma after the key', { Authorization: 'Bearer key-1, Basic x' }],
    ['the key without a scheme', { Authorization: 'key-1' }],
    ['no space after the scheme', { Authorization: 'Bearerkey-1' }],
    ['an unknown key', { Authorization: 'Bearer key-2' }],
    ['the beginning of a key', { Authorization: 'Bearer key-' }],
    ['the key in capitals', { Authorization: 'Bearer KEY-1' }],
  ] as const
).map(([what, headers]) => ({
  name: `with ${what} every operation is refused, and nothing is done`,
  section: 'Authentication; Errors (401)',
  setup: plenty,
  steps: [
    { request: { ...list, headers }, response: unauthorized },
    { request: { ...create, headers: { ...headers, 'Content-Type': 'application/json' } }, response: unauthorized },
    { request: { ...send, headers: { ...headers, 'Content-Type': 'application/json' } }, response: unauthorized },
    { request: list, response: emptyList },
  ],
}))

const left = (limit: number, remaining: number) =>
  ({
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': { unixSecondsAhead: 60 },
  }) as const

const limiting: readonly Exchange[] = [
  {
    name: 'the requests left count down, over all operations',
    section: 'Rate limit headers',
    setup: threeAMinute,
    steps: [
      { request: list, response: { ...emptyList, headers: left(3, 2) } },
      { request: create, response: { ...rabbit, headers: left(3, 1) } },
      { request: send, response: { ...queued, headers: left(3, 0) } },
      { request: list, response: { status: 429, headers: { ...left(3, 0), 'Retry-After': { matches: '\\S' } } } },
    ],
  },
  {
    name: 'beyond the limit every operation is refused, and nothing is done; after the reset requests pass again',
    section: 'Limits, rules 1 and 2',
    setup: threeAMinute,
    steps: [
      { request: list, response: emptyList, times: 3 },
      { request: create, response: tooMany },
      { request: send, response: tooMany },
      { request: list, response: tooMany },
      { elapse: minute },
      { request: list, response: { ...emptyList, headers: left(3, 2) } },
      { request: create, response: rabbit },
      { request: send, response: queued },
      { request: list, response: tooMany },
    ],
  },
  ...(
    [
      ['Free', 60, 1000],
      ['Pro', 300, 10_000],
      ['Business', 1000, 100_000],
    ] as const
  ).map(([plan, perMinute, perDay]) => ({
    name: `the plan ${plan} admits ${perMinute} requests a minute`,
    section: 'Rate limits by plan',
    setup: {
      ...plenty,
      windows: [
        { limit: perMinute, per: minute },
        { limit: perDay, per: day },
      ],
    },
    steps: [
      { request: list, response: emptyList, times: perMinute },
      { request: list, response: tooMany },
      { elapse: minute },
      { request: list, response: emptyList },
    ],
  })),
  {
    name: 'the plan Free admits 1,000 requests a day',
    section: 'Rate limits by plan',
    setup: {
      ...plenty,
      windows: [
        { limit: 60, per: minute },
        { limit: 1000, per: day },
      ],
    },
    steps: [
      ...Array.from({ length: 16 }, () => [
        { request: list, response: emptyList, times: 60 },
        { elapse: minute },
      ]).flat(),
      { request: list, response: emptyList, times: 40 },
      { request: list, response: tooMany },
      { elapse: minute },
      { request: list, response: tooMany },
      { elapse: day - 17 * minute },
      { request: list, response: emptyList },
    ],
  },
]

/** Every exchange that the interface document lets us expect. */
export const exchanges: readonly Exchange[] = [...listing, ...creating, ...sending, ...authenticating, ...limiting]
