/*
 * The vocabulary in which the files of this folder describe the service, and what several of them expect. The files are
 * written by hand from the tables of the service's interface document. They hold data only and import nothing from the
 * library, because they judge the client as well as the in-memory service. They expect nothing that the document does
 * not show, such as the values of `code` and the format of Retry-After.
 */

/** A text: exactly this one, one that matches a regular expression, or a Unix time at most so many seconds from now. */
export type ExpectedText = string | { readonly matches: string } | { readonly unixSecondsAhead: number }

/** A JSON value: `is` this one, or is `a` value of this type. Fields that are not named must be absent. */
export type ExpectedJson =
  | { readonly is: string | number | boolean | null }
  | { readonly matches: string }
  | { readonly a: 'string' | 'integer' }
  | { readonly list: readonly ExpectedJson[] }
  | { readonly fields: Readonly<Record<string, ExpectedJson>> }

export interface SentRequest {
  /** The name of the operation. */
  readonly operation: string
  /** The base address that the path follows. */
  readonly address: 'service' | 'quickstart'
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path as sent, with values in place of its fields. */
  readonly path: `/${string}`
  readonly headers: Readonly<Record<string, string>>
  /** The raw text of the body. */
  readonly body?: string
}

export interface ExpectedResponse {
  /** A status, or a class of statuses if the document does not state one. */
  readonly status: number | '2xx' | '4xx'
  readonly headers: Readonly<Record<string, ExpectedText>>
  /** The raw text of the body, for details that JSON.parse would hide. */
  readonly text?: ExpectedText
  /** The JSON body. Left out if the response has none (a call resolves with `undefined`) or the document does not show it. */
  readonly json?: ExpectedJson
}

export interface RequestWithResponse {
  readonly request: SentRequest
  readonly response: ExpectedResponse
  /** How many times in a row. Default: once. */
  readonly times?: number
}

export interface ExchangeSetup {
  /** The only accepted API key. */
  readonly key: string
  /** Ids are decimal digits in a string, because a number may lose digits. */
  readonly categories: readonly { readonly id: string; readonly name: string; readonly description?: string }[]
  /** `per` in milliseconds. All windows apply, and one of each begins when the exchange begins. */
  readonly windows: readonly { readonly limit: number; readonly per: number }[]
}

/** A sequence of requests with the responses that the document promises. */
export interface Exchange {
  readonly name: string
  /** The heading below which the interface document says so. */
  readonly section: string
  readonly setup: ExchangeSetup
  /** `elapse` is the time that passes before the next step, in milliseconds. */
  readonly steps: readonly (RequestWithResponse | { readonly elapse: number })[]
}

/** Everything that the interface document says about one operation. */
export interface OperationDescription {
  /** The operation's row in the table of operations, without its schemas, which the exchanges test. */
  readonly operation: {
    readonly name: string
    readonly method: SentRequest['method']
    /** With `{field}` for the fields of the input. */
    readonly path: `/${string}`
    readonly base: 'service' | 'quickstart'
    readonly success: readonly number[] | 'any-2xx'
    readonly replay: 'safe' | 'only-if-refused'
    readonly deprecated?: boolean
  }
  /**
   * A request that succeeds in the setup `oneDog`, with its response. The exchanges about keys and limits are played with
   * it. Left out if the document does not show the payload.
   */
  readonly example?: RequestWithResponse
  readonly exchanges: readonly Exchange[]
}

export const minute = 60_000
export const day = 86_400_000

/** The setup of most exchanges: no categories, and a limit that no exchange reaches. */
export const empty: ExchangeSetup = { key: 'key-1', categories: [], windows: [{ limit: 1000, per: minute }] }

/** The setup of the examples: one category, with the id 7. */
export const oneDog: ExchangeSetup = { ...empty, categories: [{ id: '7', name: 'Dog' }] }

export const authorized = { Authorization: 'Bearer key-1' }
export const authorizedJson = { ...authorized, 'Content-Type': 'application/json' }

const integer = { matches: '^\\d+$' }

/** The headers of every response. */
export const rateLimitHeaders = {
  'X-RateLimit-Limit': integer,
  'X-RateLimit-Remaining': integer,
  'X-RateLimit-Reset': { unixSecondsAhead: 86_400 },
} as const

/** The headers of every response with a body. */
export const jsonHeaders = { ...rateLimitHeaders, 'Content-Type': { matches: '^application/json\\s*(;|$)' } }

/** A response with an Error body. */
export function errorResponse(status: number): ExpectedResponse {
  return {
    status,
    headers: jsonHeaders,
    json: { fields: { code: { a: 'string' }, message: { a: 'string' }, status: { is: status } } },
  }
}

/** The list of categories, to see what a request has changed. */
export const list: SentRequest = {
  operation: 'listCategories',
  address: 'service',
  method: 'GET',
  path: '/categories',
  headers: authorized,
}

/** The response to `list` with these rows. */
export function listOf(...rows: readonly ExpectedJson[]): ExpectedResponse {
  return { status: 200, headers: jsonHeaders, json: { list: rows } }
}

export const dog: ExpectedJson = { fields: { id: { is: 7 }, name: { is: 'Dog' } } }
