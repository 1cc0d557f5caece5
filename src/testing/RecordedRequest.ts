/** What the service noted about one request that reached it. Times are epoch milliseconds of the service's clock. */
export interface RecordedRequest {
  /** When the request arrived, in epoch ms: after the first half of the latency. */
  readonly at: number
  /** When the response left, in epoch ms. `undefined` while there is none: pending, aborted, or the connection was lost. */
  readonly respondedAt: number | undefined
  /** The HTTP method. */
  readonly method: string
  /** Path and query, as sent. */
  readonly path: string
  /** The operation's name, where method and path belong to one. */
  readonly operation: string | undefined
  /** The API key as sent. `undefined` without a header of the form `Bearer <API_KEY>`. */
  readonly key: string | undefined
  /** The HTTP status. `undefined` while there is no response: pending, aborted, or the connection was lost. */
  readonly status: number | undefined
  /** Whether it was counted against the key's quota. */
  readonly counted: boolean
  /** Whether it came while its key was to wait, later than the grace period allows for. */
  readonly coolingDown: boolean
  /** Whether it was refused because its key is banned. */
  readonly banned: boolean
  /** Whether the operation did its work (its response was below 400), even if that response got lost. */
  readonly applied: boolean
}

/** An entry while the service still writes it. */
export type RecordedRequestDraft = { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] }

/** @param at epoch milliseconds */
export function openEntry(request: Request, at: number): RecordedRequestDraft {
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
