import type { Operation } from '../contract/defineOperation.ts'
import { abortable } from './abortable.ts'
import { type RawResponse, errorResponse } from './RawResponse.ts'

const badRequest = (message: string): RawResponse => errorResponse(400, 'bad_request', message)

/** Methods whose input is the JSON body. The input of the others is the query string. */
const withBody = new Set(['POST', 'PUT', 'PATCH'])

/** Reads and checks a request's body. Returns the JSON value, or the 400 that refuses it. */
export async function readInput(request: Request, operation: Operation): Promise<{ body: unknown } | RawResponse> {
  if (!withBody.has(operation.method)) return { body: undefined }
  // The interface document requires the media type for the quickstart request only.
  if (operation.base === 'quickstart' && !isJson(request.headers.get('Content-Type'))) {
    return badRequest('Content-Type must be application/json.')
  }
  const text = await abortable(request.text(), request.signal)
  if (text === '' && !operation.input) return { body: undefined }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return badRequest('The body is not JSON.')
  }
  if (!operation.input || operation.path.includes('{')) return { body }
  const { issues } = await abortable(operation.input['~standard'].validate(body), request.signal)
  if (!issues) return { body }
  const problems = issues.map((issue) => [...(issue.path ?? []).map(writeStep), issue.message].join(': '))
  return badRequest(problems.join('; '))
}

function isJson(contentType: string | null): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json'
}

function writeStep(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step)
}
