import type { Operation } from '../contract/defineOperation.ts'
import type { documentedOperations } from '../contract/operations.ts'
import type { PlainSchema } from '../contract/schemas.ts'
import { errorResponse, jsonResponse, type RawResponse, successStatus, toResponse } from './RawResponse.ts'

/** Does the work of one operation. If the path takes no field, the body was checked with the operation's schema. */
export type Handler = (request: ServiceRequest) => RawResponse | Promise<RawResponse>

/** A handler for each operation whose payload the interface document shows. A missing one is a type error. */
export type Handlers = Readonly<Record<keyof typeof documentedOperations, Handler>>

/** Returns the value of a body that the service has checked with this schema. */
export function checkedBody<Output>(schema: PlainSchema<unknown, Output>, body: unknown): Output {
  const result = schema['~standard'].validate(body)
  if (result.issues) throw new TypeError('The body was not checked.')
  return result.value
}

/** Handles an operation that a test registered. An error becomes a 500, so that the test shows the reason. */
export function registeredHandler({ operation, handle }: ServiceOperation): Handler {
  return async (request) => {
    try {
      const { status = successStatus(operation), body, headers } = await handle(request)
      const response = body === undefined ? { status } : jsonResponse(status, writeJson(body))
      const complete: RawResponse = { ...response, headers: { ...response.headers, ...headers } }
      toResponse(complete, {}) // Throws when status, headers and body do not go together.
      return complete
    } catch (error) {
      return errorResponse(500, 'handler_failed', `${operation.name}: ${String(error)}`)
    }
  }
}

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

/** A JSON value. A bigint becomes an exact integer literal of any size, like the service's int64 ids. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [field: string]: JsonValue | undefined }

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** `JSON.stringify` with support for bigints. Fields that are `undefined` are left out. */
function writeJson(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`
  const fields = Object.entries(value).flatMap(([name, field]) =>
    field === undefined ? [] : [`${JSON.stringify(name)}:${writeJson(field)}`],
  )
  return `{${fields.join(',')}}`
}
