import type { Operation } from '../contract/defineOperation.ts'
import type { JsonValue } from './writeJson.ts'

/** A request to an operation. Its key is accepted and its quota is already charged. */
export interface ServiceRequest {
  /** The fields of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The query parameters. */
  readonly query: URLSearchParams
  /** The JSON body. `undefined` when there is none. */
  readonly body: unknown
}

/** The response of an operation that a test registered. */
export interface ServiceResponse {
  /** The HTTP status. Default: the operation's first success status, or 200 if any 2xx is a success. */
  readonly status?: number
  /** The JSON body. Leave it out for a response without a body. */
  readonly body?: JsonValue
  /** Headers such as `Deprecation` and `Sunset`. They replace the service's own headers of the same name. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An operation that the service handles in addition to the documented ones: an operation of your own, or one whose
 * payload the interface document does not show (`getPet`, `listOrders`). The service checks the body with the
 * operation's input schema, unless the path takes a field of the input.
 */
export interface ServiceOperation {
  /** The operation that apps call. Its method and path select the handler. */
  readonly operation: Operation
  /** Returns the response. If it throws, the service responds with a 500 that shows the error. */
  readonly handle: (request: ServiceRequest) => ServiceResponse | Promise<ServiceResponse>
}
