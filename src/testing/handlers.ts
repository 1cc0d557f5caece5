import type { Operation } from '../contract/defineOperation.ts'
import type { DocumentedOperationName } from '../contract/operations.ts'
import { errorResponse, jsonResponse, type RawResponse, successStatus, toResponse } from './RawResponse.ts'
import type { ServiceOperation, ServiceRequest } from './ServiceOperation.ts'
import { writeJson } from './writeJson.ts'

/** Does the work of one operation. Its body was checked with the operation's schema where the path takes no field. */
export type Handler = (request: ServiceRequest) => RawResponse | Promise<RawResponse>

/** A handler for each operation whose payload the interface document shows. A missing one is a type error. */
export type Handlers = Readonly<Record<DocumentedOperationName, Handler>>

/** Handles an operation that exists but whose response the interface document does not show. */
export function undocumentedHandler({ name, method, path }: Operation): Handler {
  const message = `${method} ${path} exists, but its payload is not shown. Set its response with the option "operations".`
  return () => errorResponse(404, 'not_found', `${name}: ${message}`)
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
