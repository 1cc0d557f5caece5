import type { Operation } from '../contract/defineOperation.ts'
import type { JsonValue } from './writeJson.ts'

/** A request to an operation that a test registered. The key was accepted and the quota charged before. */
export interface ServiceRequest {
  /** The fields of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The fields of the query. */
  readonly query: URLSearchParams
  /** The JSON body. `undefined` when there is none. */
  readonly body: unknown
}

/** The response to it. */
export interface ServiceResponse {
  /** The HTTP status. Default: the operation's first success status, or 200 where any is fine. */
  readonly status?: number
  /** Left out: a response without a body. */
  readonly body?: JsonValue
  /** For example `Deprecation` and `Sunset`. Stronger than the service's own headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An operation that the service responses besides the documented ones: an operation of your own, or one whose payload
 * the interface document does not show (`getPet`, `listOrders`). A body is checked against the operation's input
 * schema where the body is all of the input, that is where the path takes no field of it.
 */
export interface ServiceOperation {
  /** What apps call it by: its method and path lead here. */
  readonly operation: Operation
  /** Gives the response. What it throws is responded with a 500. */
  readonly handle: (request: ServiceRequest) => ServiceResponse | Promise<ServiceResponse>
}
