import type { RateLimitState } from '../rate-limit/rateLimitState.ts'

/**
 * The quota as a visitor's own gate is to see it, with the fields of the IETF draft for what else may read it. Known also
 * where this response needed no request.
 */
export function quotaHeaders(
  { limit, remaining, resetAt, retryAt }: RateLimitState,
  now: number,
): Readonly<Record<string, string>> {
  // While the gate is closed, units that are left cannot be used.
  const units = retryAt === undefined ? remaining : 0
  const reset = retryAt ?? resetAt
  const resetIn = reset === undefined ? '' : `;t=${Math.max(0, Math.ceil((reset - now) / 1_000))}`
  return {
    ...(limit !== undefined && { 'X-RateLimit-Limit': String(limit) }),
    ...(units !== undefined && { 'X-RateLimit-Remaining': String(units) }),
    ...(reset !== undefined && { 'X-RateLimit-Reset': String(Math.ceil(reset / 1_000)) }),
    ...(units !== undefined && { RateLimit: `"visitor";r=${units}${resetIn}` }),
    ...(limit !== undefined && { 'RateLimit-Policy': `"visitor";q=${limit}` }),
  }
}
