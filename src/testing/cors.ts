/** The rights of a page of another origin. The interface document does not mention CORS. */
export interface CorsRules {
  /** The origin that may send requests, `*` for any. Default `*`. */
  readonly origin?: string
  /** Whether its pages may read the rate limit headers (`Access-Control-Expose-Headers`). Default `true`. */
  readonly exposeHeaders?: boolean
}

const exposed = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Date',
  'Deprecation',
  'Sunset',
]

/** The CORS headers of every response. None if CORS is switched off. */
export function corsHeaders(cors: CorsRules | false): Record<string, string> {
  if (cors === false) return {}
  const { origin = '*', exposeHeaders = true } = cors
  return {
    'Access-Control-Allow-Origin': origin,
    ...(origin !== '*' && { Vary: 'Origin' }),
    ...(exposeHeaders && { 'Access-Control-Expose-Headers': exposed.join(', ') }),
  }
}

/** The additional headers of a preflight response. The wildcard `*` would not cover `Authorization`. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
}
