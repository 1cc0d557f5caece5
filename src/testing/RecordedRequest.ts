/** A request and its outcome, even if a fault lost it on its way. Times are epoch ms of the service's clock. */
export interface RecordedRequest {
  /** When the request arrived (with `lost-before`: would have), in epoch ms, after the first half of the latency. */
  readonly at: number
  /** When its caller got the response, in epoch ms, after the second half of the latency. `undefined` like `status`. */
  readonly respondedAt: number | undefined
  /** The HTTP method. */
  readonly method: string
  /** Path and query, as sent. */
  readonly path: string
  /** The operation's name. `undefined` if method and path match none. */
  readonly operation: string | undefined
  /** The API key as sent. `undefined` without a header of the form `Bearer <API_KEY>`. */
  readonly key: string | undefined
  /** The HTTP status. `undefined` while pending, after an abort and after a lost connection. */
  readonly status: number | undefined
  /** Whether the request counted against the key's quota. */
  readonly counted: boolean
  /** Whether it arrived in a cool-down of its key, more than `BanOptions.grace` after that cool-down's first 429. */
  readonly coolingDown: boolean
  /** Whether the service refused the request because its key is banned. */
  readonly banned: boolean
  /** Whether the operation was carried out (its response was below 400), even if the response was lost. */
  readonly applied: boolean
}

/** A recorded request that the service still fills in. */
export type RecordedRequestDraft = { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] }

/** @param at epoch milliseconds */
export function recordRequest(request: Request, at: number): RecordedRequestDraft {
  const { pathname, search } = new URL(request.url)
  return {
    at,
    respondedAt: undefined,
    method: request.method,
    path: pathname + search,
    operation: undefined,
    key: undefined,
    status: undefined,
    counted: false,
    coolingDown: false,
    banned: false,
    applied: false,
  }
}
