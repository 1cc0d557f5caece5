import type { Operation } from '../contract/defineOperation.ts'
import type { ErrorBody } from '../contract/ErrorBody.ts'

/** A response whose body is already text, and which still lacks the headers that every response carries. */
export interface RawResponse {
  readonly status: number
  /** Headers of this response alone. They replace common headers of the same name; `null` removes one. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** The body. Left out when there is none. */
  readonly text?: string
}

/** A response with JSON that is already written as text. */
export function jsonResponse(status: number, text: string): RawResponse {
  return { status, headers: { 'Content-Type': 'application/json' }, text }
}

/** The success response of an operation; without `text` it has no body. */
export function successResponse(operation: Operation, text?: string): RawResponse {
  const status = successStatus(operation)
  return text === undefined ? { status } : jsonResponse(status, text)
}

/** The first documented success status, or 200 where the document states none. */
export function successStatus({ success }: Operation): number {
  return success === 'any-2xx' ? 200 : (success[0] ?? 200)
}

/** A response with an Error body. The values of `code` are invented: the interface document lists none. */
export function errorResponse(status: number, code: string, message: string): RawResponse {
  const body: ErrorBody = { code, message, status }
  return jsonResponse(status, JSON.stringify(body))
}

export function toResponse(response: RawResponse, commonHeaders: Readonly<Record<string, string>>): Response {
  const headers = new Headers(commonHeaders)
  for (const [name, value] of Object.entries(response.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return new Response(response.text ?? null, { status: response.status, headers })
}
