import { abortable } from './abortable.ts'
import { type RawResponse, errorResponse, toResponse } from './RawResponse.ts'
import { preflightHeaders } from './cors.ts'
import { respondInstead, type Fault, corruptBody, takeFault } from './faults.ts'
import type { RecordedRequestDraft } from './RecordedRequest.ts'
import { undocumentedHandler } from './handlers.ts'
import type { QuotaView } from './quota.ts'
import { readBearerKey } from './readBearerKey.ts'
import { readInput } from './readInput.ts'
import type { Settings } from './readOptions.ts'
import type { Route, Router } from './router.ts'
import type { ServiceState } from './state.ts'

/**
 * Handles one request: preflight, key, fault, ban and quota, address, body, handler. Writes the outcome into `record`.
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
  const key = readBearerKey(authorization)
  record.key = key

  const respond = (response: RawResponse, quota = state.admission.quota(key, at)): Response =>
    toResponse(response, {
      ...rateLimitHeaders(quota),
      Date: new Date(settings.now()).toUTCString(),
      ...settings.corsHeaders,
    })

  if (request.method === 'OPTIONS' && settings.handlesPreflights) {
    return respond({ status: 204, headers: preflightHeaders })
  }
  if (key === undefined || !settings.keys.has(key)) return respond(unauthorized(authorization, key))

  record.coolingDown = state.admission.isCoolingDown(key, at)
  const fault = takeFault(state.faults, record.operation)
  if (fault && 'status' in fault) return respond(respondInstead(fault))
  if (isLost(fault, 'lost-before')) return undefined

  const { refusal, ...flags } = state.admission.admit(key, at)
  Object.assign(record, flags)
  // Read before any wait: the response announces what this request left, not what later ones left.
  const quota = state.admission.quota(key, at)
  const response = refusal ?? (await perform(request, route, searchParams, state, record))
  if (isLost(fault, 'lost-after')) return undefined
  return respond(fault && 'body' in fault ? corruptBody(response, fault.body) : response, quota)
}

function isLost(fault: Fault | undefined, moment: 'lost-before' | 'lost-after'): boolean {
  return fault !== undefined && 'connection' in fault && fault.connection === moment
}

function rateLimitHeaders({ limit, remaining, resetAt }: QuotaView): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  }
}

function unauthorized(authorization: string | null, key: string | undefined): RawResponse {
  if (authorization === null) return errorResponse(401, 'unauthorized', 'The Authorization header is missing.')
  return errorResponse(
    401,
    'unauthorized',
    key === undefined
      ? 'The Authorization header is not in the form "Bearer <API_KEY>".'
      : 'The API key is not one that this service accepts.',
  )
}

/** Runs the operation. The 404 and 405 for other addresses and methods are ours: the document shows none. */
async function perform(
  request: Request,
  route: Route | Exclude<ReturnType<Router>, Route>,
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
  const { operation, params, handler = handlers.get(operation.name) ?? undocumentedHandler(operation) } = route
  const input = await readInput(request, operation)
  if ('status' in input) return input
  request.signal.throwIfAborted()
  const handle = async (): Promise<RawResponse> => {
    const response = await handler({ params, query, body: input.body })
    record.applied = response.status < 400
    return response
  }
  return abortable(handle(), request.signal)
}
