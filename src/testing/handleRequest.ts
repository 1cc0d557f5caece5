import { abortable } from './abortable.ts'
import { type ServiceReply, errorResponse, toResponse } from './ServiceReply.ts'
import { preflightHeaders } from './cors.ts'
import { respondInstead, type Fault, corruptBody } from './faults.ts'
import type { RecordedRequestDraft } from './RecordedRequest.ts'
import type { Memory } from './state.ts'
import type { QuotaView } from './quota.ts'
import { readBearerKey } from './readBearerKey.ts'
import { readInput } from './readInput.ts'
import type { Settings } from './readOptions.ts'
import type { Route, Router } from './router.ts'

/**
 * The way of one request through the service: preflight, key, fault, ban and quota, address, body, work. Notes in
 * `entry` what became of it. Gives `undefined` when the connection is to be lost.
 */
export async function handleRequest(
  request: Request,
  settings: Settings,
  state: Memory,
  entry: RecordedRequestDraft,
): Promise<Response | undefined> {
  const { at } = entry
  const { pathname, searchParams } = new URL(request.url)
  const route = settings.route(request.method, pathname)
  if ('operation' in route) entry.operation = route.operation.name
  const authorization = request.headers.get('Authorization')
  const key = readBearerKey(authorization)
  entry.key = key

  const respond = (response: ServiceReply, quota = state.admission.quota(key, at)): Response =>
    toResponse(response, {
      ...rateLimitHeaders(quota),
      Date: new Date(settings.now()).toUTCString(),
      ...settings.corsHeaders,
    })

  if (request.method === 'OPTIONS' && settings.handlesPreflights) {
    return respond({ status: 204, headers: preflightHeaders })
  }
  if (key === undefined || !settings.keys.has(key)) return respond(unauthorized(authorization, key))

  entry.coolingDown = state.admission.isCoolingDown(key, at)
  const fault = state.faults.shift()
  if (fault && 'status' in fault) return respond(respondInstead(fault))
  if (isLost(fault, 'lost-before')) return undefined

  const { refusal, ...verdict } = state.admission.admit(key, at)
  Object.assign(entry, verdict)
  // Read before any waiting: what is announced is what this request left.
  const quota = state.admission.quota(key, at)
  const response = refusal ?? (await perform(request, route, searchParams, state, entry))
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

function unauthorized(authorization: string | null, key: string | undefined): ServiceReply {
  if (authorization === null) return errorResponse(401, 'unauthorized', 'The Authorization header is missing.')
  return errorResponse(
    401,
    'unauthorized',
    key === undefined
      ? 'The Authorization header is not in the form "Bearer <API_KEY>".'
      : 'The API key is not one that this service accepts.',
  )
}

/** The response of the operation itself. Responds to other addresses and methods are ours: none is documented. */
async function perform(
  request: Request,
  route: Route | Exclude<ReturnType<Router>, Route>,
  query: URLSearchParams,
  state: Memory,
  entry: RecordedRequestDraft,
): Promise<ServiceReply> {
  if (!('operation' in route)) {
    if (route.allow.length === 0) return errorResponse(404, 'not_found', `There is nothing at ${entry.path}.`)
    const allow = route.allow.join(', ')
    const response = errorResponse(405, 'method_not_allowed', `${entry.path} takes ${allow}, not ${entry.method}.`)
    return { ...response, headers: { ...response.headers, Allow: allow } }
  }
  const input = await readInput(request, route.operation)
  if ('status' in input) return input
  request.signal.throwIfAborted()
  const work = async (): Promise<ServiceReply> => {
    const response = await route.work({ params: route.params, query, body: input.body }, state)
    entry.applied = response.status < 400
    return response
  }
  return abortable(work(), request.signal)
}
