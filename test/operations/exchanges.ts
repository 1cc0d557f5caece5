import {
  day,
  dog,
  empty,
  errorResponse,
  type Exchange,
  type ExpectedResponse,
  list,
  listOf,
  minute,
  oneDog,
  type OperationDescription,
  rateLimitHeaders,
  type RequestWithResponse,
} from './OperationDescription.ts'

/** The other files of this folder describe the operations. */
const files = import.meta.glob<Readonly<Record<string, OperationDescription>>>(
  ['./*.ts', '!./exchanges.ts', '!./readRequest.ts', '!./OperationDescription.ts'],
  { eager: true },
)

/** Every operation of the interface document, in the order of the file names. */
export const descriptions: readonly OperationDescription[] = Object.values(files).flatMap((file) => Object.values(file))

const examples = descriptions.flatMap(({ example }) => (example ? [example] : []))
const listExample = { request: list, response: listOf(dog) }
/** The list comes first, as the other examples may change it. */
const examplesInOrder = [listExample, ...examples.filter(({ request }) => request.operation !== list.operation)]

const authentication: readonly Exchange[] = (
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
).map(([what, authorization]) => ({
  name: `with ${what} every operation is refused, and nothing changes`,
  section: 'Authentication; Errors (401)',
  setup: oneDog,
  steps: [
    ...examples.map(({ request }) => {
      const { Authorization: _, ...headers } = request.headers
      return { request: { ...request, headers: { ...headers, ...authorization } }, response: errorResponse(401) }
    }),
    listExample,
  ],
}))

const limitHeaders = (limit: number, remaining: number) =>
  ({
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': { unixSecondsAhead: 60 },
  }) as const

const tooMany: ExpectedResponse = { status: 429, headers: { ...rateLimitHeaders, 'Retry-After': { matches: '\\S' } } }

/** As many requests a minute as there are examples, so that `countdown` uses them up. */
const limit = examplesInOrder.length
const limited = { ...oneDog, windows: [{ limit, per: minute }] }
const countdown = examplesInOrder.map(
  ({ request, response }, index): RequestWithResponse => ({
    request,
    response: { ...response, headers: { ...response.headers, ...limitHeaders(limit, limit - 1 - index) } },
  }),
)
const emptyList = { request: list, response: listOf() }

const limits: readonly Exchange[] = [
  {
    name: 'the requests left count down, over all operations',
    section: 'Rate limit headers',
    setup: limited,
    steps: [
      ...countdown,
      { request: list, response: { ...tooMany, headers: { ...tooMany.headers, ...limitHeaders(limit, 0) } } },
    ],
  },
  {
    name: 'beyond the limit every operation is refused, and nothing changes; after the reset requests pass again',
    section: 'Limits, rules 1 and 2',
    setup: limited,
    steps: [
      { ...listExample, times: limit },
      ...examples.map(({ request }) => ({ request, response: tooMany })),
      { elapse: minute },
      ...countdown,
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
      ...empty,
      windows: [
        { limit: perMinute, per: minute },
        { limit: perDay, per: day },
      ],
    },
    steps: [{ ...emptyList, times: perMinute }, { request: list, response: tooMany }, { elapse: minute }, emptyList],
  })),
  {
    name: 'the plan Free admits 1,000 requests a day',
    section: 'Rate limits by plan',
    setup: {
      ...empty,
      windows: [
        { limit: 60, per: minute },
        { limit: 1000, per: day },
      ],
    },
    steps: [
      ...Array.from({ length: 16 }, () => [{ ...emptyList, times: 60 }, { elapse: minute }]).flat(),
      { ...emptyList, times: 40 }, // 16 × 60 + 40 = 1,000
      { request: list, response: tooMany },
      { elapse: minute },
      { request: list, response: tooMany },
      { elapse: day - 17 * minute },
      emptyList,
    ],
  },
]

/** Every exchange that the interface document promises. */
export const exchanges: readonly Exchange[] = [
  ...descriptions.flatMap((description) => description.exchanges),
  ...authentication,
  ...limits,
]
