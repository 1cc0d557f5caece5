import type { ErrorBody } from '../contract/errorBody.ts'

/** An answer of the service, before the headers that every answer carries. */
export interface Answer {
  readonly status: number
  /** Headers of this answer, stronger than the usual ones; `null` takes a usual one away. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** The body. Left out where there is none. */
  readonly text?: string
}

/** An answer with JSON, already written as text. */
export function jsonAnswer(status: number, text: string): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, text }
}

/** An answer with an Error body. The values of `code` are made up: the interface document lists none. */
export function errorAnswer(status: number, code: string, message: string): Answer {
  const body: ErrorBody = { code, message, status }
  return jsonAnswer(status, JSON.stringify(body))
}

export function toResponse(answer: Answer, usualHeaders: Readonly<Record<string, string>>): Response {
  const headers = new Headers(usualHeaders)
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return new Response(answer.text ?? null, { status: answer.status, headers })
}
