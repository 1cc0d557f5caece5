import type { Operation } from '../contract/defineOperation.ts'
import { type ErrorContext, InputValidationError } from './errors.ts'

/** The parts of a request that the input fills: fields of the path first, the rest as query or body. */
export interface RequestTarget {
  /** Path and query, below the base address. */
  readonly target: string
  /** JSON text; `undefined` without a body. */
  readonly body: string | undefined
}

/** @throws InputValidationError when a path field is missing or would change the path, or JSON cannot hold the body */
export function buildRequest(
  operation: Pick<Operation, 'method' | 'path'>,
  input: unknown,
  context: ErrorContext,
): RequestTarget {
  const fields = new Map(typeof input === 'object' && input !== null ? Object.entries(input) : [])
  const rest = new Map(fields)
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    rest.delete(name)
    return pathSegment(name, fields.get(name), context)
  })

  if (operation.method !== 'GET' && operation.method !== 'DELETE') {
    const body = rest.size < fields.size ? Object.fromEntries(rest) : input
    return { target: path, body: body === undefined ? undefined : jsonText(body, context) }
  }
  const query = new URLSearchParams()
  for (const [name, value] of rest) {
    if (value !== undefined && value !== null) query.append(name, String(value))
  }
  const search = query.toString()
  return { target: search ? `${path}?${search}` : path, body: undefined }
}

function pathSegment(name: string, value: unknown, context: ErrorContext): string {
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
  // Encoding keeps dots, and a URL parser resolves "." and ".." segments. Half of a surrogate pair cannot be encoded.
  if (text === '' || text === '.' || text === '..' || /\p{Surrogate}/u.test(text)) {
    throw new InputValidationError(context, [{ message: 'expected text that can stand in a path', path: [name] }])
  }
  return encodeURIComponent(text)
}

function jsonText(value: unknown, context: ErrorContext): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw new InputValidationError(context, [{ message: 'expected a value that JSON can hold' }])
  }
}
