import type { ErrorBody } from '../contract/errorBody.ts'

/** A response of the service, before the headers that every response carries. */
export interface ServiceReply {
  readonly status: number
  /** Headers of this response, stronger than the usual ones; `null` takes a usual one away. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** The body. Left out where there is none. */
  readonly text?: string
}

/** A response with JSON, already written as text. */
export function jsonResponse(status: number, text: string): ServiceReply {
  return { status, headers: { 'Content-Type': 'application/json' }, text }
}

/** A response with an Error body. The values of `code` are made up: the interface document lists none. */
export function errorResponse(status: number, code: string, message: string): ServiceReply {
  const body: ErrorBody = { code, message, status }
  return jsonResponse(status, JSON.stringify(body))
}

export function toResponse(response: ServiceReply, usualHeaders: Readonly<Record<string, string>>): Response {
  const headers = new Headers(usualHeaders)
  for (const [name, value] of Object.entries(response.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return new Response(response.text ?? null, { status: response.status, headers })
}
