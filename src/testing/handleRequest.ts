import { untilAborted } from '../base/abort.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { Message } from '../contract/message.ts'
import { operations } from '../contract/operations.ts'
import { newMessageSchema } from '../contract/schemas.ts'
import { createAdmission } from './admission.ts'
import { createCategoryResource } from './categoryResource.ts'
import { corruptBody, type Fault, proxyResponse, takeFault } from './faults.ts'
import { type Handler, type Handlers, checkedBody } from './handlers.ts'
import type { QuotaView } from './quota.ts'
import { errorResponse, type RawResponse, successResponse, toResponse } from './RawResponse.ts'
import type { Settings } from './readOptions.ts'
import type { RecordedRequestDraft } from './RecordedRequest.ts'
import type { Router } from './router.ts'

/**
 * Checks in this order: preflight, key, fault, ban and quota, address, body; then runs the handler. Fills in `record`.
 * Returns `undefined` when the connection is to be lost.
 */
export async function handleRequest(
  request: Request,
  settings: Settings,
  state: ServiceState,
  record: RecordedRequestDraft,
): Promise<Response | undefined> {
  const { at } = record
  const { pathname, searchParams } = new URL(request.url)
  const route = settings.route(request.method, pathname)
  if ('operation' in route) record.operation = route.operation.name
  const authorization = request.headers.get('Authorization')
  // Strict on purpose (one space, a capital B), so that no client relies on leniency.
  const key = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
  record.key = key

  const respond = (response: RawResponse, quota = state.admission.quota(key, at)): Response =>
    toResponse(response, {
      ...rateLimitHeaders(quota),
      Date: new Date(settings.now()).toUTCString(),
      ...corsHeaders,
    })

  if (request.method === 'OPTIONS') return respond({ status: 204, headers: preflightHeaders })
  if (key === undefined || !settings.keys.has(key)) return respond(unauthorized(authorization, key))

  record.coolingDown = state.admission.isCoolingDown(key, at)
  const fault = takeFault(state.faults, record.operation)
  if (fault && 'status' in fault) return respond(proxyResponse(fault))
  const connection = fault && 'connection' in fault && fault.connection
  if (connection === 'lost-before') return undefined

  const { refusal, ...flags } = state.admission.admit(key, at)
  Object.assign(record, flags)
  // Read before any wait: the response announces what this request left, not what later ones left.
  const quota = state.admission.quota(key, at)
  const response = refusal ?? (await perform(request, route, searchParams, state, record))
  if (connection === 'lost-after') return undefined
  return respond(fault && 'body' in fault ? corruptBody(response, fault.body) : response, quota)
}

/** Any page may use the service. The interface document does not mention CORS. */
const corsHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Date, Deprecation, Sunset',
}

/** The additional headers of a preflight response. They name `Authorization`, which the wildcard `*` would not cover. */
const preflightHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
}

function rateLimitHeaders({ limit, remaining, resetAt }: QuotaView): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  }
}

function unauthorized(authorization: string | null, key: string | undefined): RawResponse {
  let message = 'The API key is not one that this service accepts.'
  if (authorization === null) message = 'The Authorization header is missing.'
  else if (key === undefined) message = 'The Authorization header is not in the form "Bearer <API_KEY>".'
  return errorResponse(401, 'unauthorized', message)
}

/** Runs the operation. The 404 and 405 for other addresses and methods are invented: the document shows none. */
async function perform(
  request: Request,
  route: ReturnType<Router>,
  query: URLSearchParams,
  { handlers }: ServiceState,
  record: RecordedRequestDraft,
): Promise<RawResponse> {
  if (!('operation' in route)) {
    if (route.allow.length === 0) return errorResponse(404, 'not_found', `There is nothing at ${record.path}.`)
    const allow = route.allow.join(', ')
    const response = errorResponse(405, 'method_not_allowed', `${record.path} takes ${allow}, not ${record.method}.`)
    return { ...response, headers: { ...response.headers, Allow: allow } }
  }
  const { operation, params, handler = handlers.get(operation.name) } = route
  if (!handler) {
    const { name, method, path } = operation
    const message = `${method} ${path} exists, but its payload is not shown. Set its response with the option "operations".`
    return errorResponse(404, 'not_found', `${name}: ${message}`)
  }
  const input = await readInput(request, operation)
  if ('status' in input) return input
  request.signal.throwIfAborted()
  return untilAborted(request.signal, async () => {
    const response = await handler({ params, query, body: input.body })
    record.applied = response.status < 400
    return response
  })
}

/** Everything a service remembers, except the requests it recorded. `reset` replaces it. */
type ServiceState = ReturnType<typeof createState>

export function createState(settings: Settings) {
  const categories = createCategoryResource(settings.categories, settings.firstId)
  const messages: Message[] = []
  const handlers: Handlers = {
    ...categories.handlers,
    sendMessage: ({ body }) => {
      const { message } = checkedBody(newMessageSchema, body)
      const id = `msg_${messages.length + 1}`
      // `queued` is the only status that is documented.
      const record: Message = { id, message, status: 'queued', createdAt: new Date(settings.now()).toISOString() }
      messages.push(record)
      return successResponse(operations.sendMessage, JSON.stringify(record))
    },
  }
  const faults: Fault[] = []
  return {
    admission: createAdmission(settings),
    /** The faults that wait for a request, in order. Each makes one request fail. */
    faults,
    categories: categories.all,
    messages: (): readonly Message[] => [...messages],
    /** The handlers of the documented operations, by name. */
    handlers: new Map<string, Handler>(Object.entries(handlers)),
  }
}

const badRequest = (message: string): RawResponse => errorResponse(400, 'bad_request', message)

/** The methods whose input is the JSON body. Other methods have their input in the query string. */
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH'])

/** Reads and checks a request's body. Returns the JSON value, or the 400 that refuses it. */
async function readInput(request: Request, operation: Operation): Promise<{ body: unknown } | RawResponse> {
  if (!methodsWithBody.has(operation.method)) return { body: undefined }
  // The interface document requires the media type for the quickstart request only.
  const mediaType = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (operation.base === 'quickstart' && mediaType !== 'application/json') {
    return badRequest('Content-Type must be application/json.')
  }
  const text = await untilAborted(request.signal, () => request.text())
  if (text === '' && !operation.input) return { body: undefined }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return badRequest('The body is not JSON.')
  }
  if (!operation.input || operation.path.includes('{')) return { body } // fields of the path are not in the body
  const { '~standard': schema } = operation.input
  const { issues } = await untilAborted(request.signal, () => schema.validate(body))
  if (!issues) return { body }
  const problems = issues.map((issue) => [...(issue.path ?? []).map(writePathStep), issue.message].join(': '))
  return badRequest(problems.join('; '))
}

function writePathStep(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step)
}
