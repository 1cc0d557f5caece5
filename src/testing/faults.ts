import { type RawResponse, errorResponse } from './RawResponse.ts'

/**
 * A failure of a request. With `operation`, such as `createCategory`, only a request of that operation fails: the fault
 * waits until one comes.
 * - `status`: a proxy in front of the service responds. The operation does not run and the quota does not change. Without
 *   a `body` the response has an Error body (statuses from 400, except 429) or none. A header that is `null` is removed.
 * - `connection`: `fetch` rejects with a TypeError, as in a browser, either before the request reaches the service or
 *   after the operation ran.
 * - `body`: the operation runs, but the response's body is cut off or has the wrong shape.
 */
export type Fault = {
  /** The only operation whose requests fail. */
  readonly operation?: string
} & (
  | {
      /** The status of the response, 200 to 599. */
      readonly status: number
      /** Further headers; `null` removes one. */
      readonly headers?: Readonly<Record<string, string | null>>
      /** The text of the response. */
      readonly body?: string
    }
  | {
      /** Whether the connection is lost before the request arrives, or after the operation ran. */
      readonly connection: 'lost-before' | 'lost-after'
    }
  | {
      /** What is wrong with the body of the response. */
      readonly body: 'malformed-json' | 'wrong-shape'
    }
)

type StatusFault = Extract<Fault, { status: number }>

const statusesWithoutBody = new Set([204, 205, 304])

/** @throws TypeError or RangeError when the fault or the number of times is invalid. */
export function checkFault(fault: Fault, times: number, operations: ReadonlySet<string>): void {
  if (fault.operation !== undefined && !operations.has(fault.operation)) {
    const known = [...operations].join("', '")
    throw new TypeError(`failNext: unknown operation "${fault.operation}". Use '${known}'.`)
  }
  if (!Number.isSafeInteger(times) || times < 1) {
    throw new RangeError(`failNext: times must be a whole number from 1, not ${times}.`)
  }
  if ('status' in fault) {
    const { status, body } = fault
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      throw new RangeError(`failNext: status must be a whole number from 200 to 599, not ${status}.`)
    }
    if (body !== undefined && statusesWithoutBody.has(status)) {
      throw new TypeError(`failNext: a response with status ${status} has no body. Leave body out.`)
    }
    return
  }
  const known = 'connection' in fault ? ['lost-before', 'lost-after'] : ['malformed-json', 'wrong-shape']
  const kind: string = 'connection' in fault ? fault.connection : fault.body
  if (!known.includes(kind)) {
    throw new TypeError(
      `failNext: unknown fault ${JSON.stringify(fault)}. Use { status }, { connection: 'lost-before' | 'lost-after' } ` +
        `or { body: 'malformed-json' | 'wrong-shape' }.`,
    )
  }
}

/** Removes and returns the first fault in the queue that applies to an operation. */
export function takeFault(queue: Fault[], operation: string | undefined): Fault | undefined {
  const index = queue.findIndex((fault) => fault.operation === undefined || fault.operation === operation)
  return index < 0 ? undefined : queue.splice(index, 1)[0]
}

/** The response of a proxy in front of the service, in place of the response of the service. */
export function proxyResponse({ status, headers, body }: StatusFault): RawResponse {
  if (body !== undefined) return { status, headers: { 'Content-Type': 'application/json', ...headers }, text: body }
  if (status < 400 || status === 429) return { status, ...(headers && { headers }) }
  const error = errorResponse(status, 'fault', `This ${status} was requested with failNext.`)
  return { ...error, headers: { ...error.headers, ...headers } }
}

/** Cuts off the body, or replaces it with one of another shape. A status that allows no body becomes 200. */
export function corruptBody(response: RawResponse, kind: 'malformed-json' | 'wrong-shape'): RawResponse {
  const text = kind === 'wrong-shape' ? '{"unexpected":true}' : (response.text ?? '').slice(0, -1) || '{'
  const status = statusesWithoutBody.has(response.status) ? 200 : response.status
  return { status, headers: { ...response.headers, 'Content-Type': 'application/json' }, text }
}
