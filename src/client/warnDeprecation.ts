import type { Operation } from '../contract/defineOperation.ts'
import { parseHttpDate } from '../rate-limit/rateLimitHeaders.ts'
import { developmentWarning } from '../base/development.ts'

/**
 * Warns developers once for each operation that is experimental, beta or deprecated, by its entry in the table or by the
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers of its response.
 */
export function warnDeprecation({ name, stability, deprecated }: Operation, headers: Headers): void {
  if (stability) developmentWarning(`${name} is ${stability}: the service may change it without notice.`)
  const deprecation = headers.get('Deprecation')
  const sunset = headers.get('Sunset')
  if (!deprecated && deprecation === null && sunset === null) return
  const now = Date.now()
  const since = structuredDate(deprecation)
  const end = sunset === null ? undefined : parseHttpDate(sunset)
  const date = since === undefined ? '' : since > now ? ` from ${day(since)} on` : ` since ${day(since)}`
  developmentWarning(
    `${name} is deprecated${date}. ` +
      (end === undefined ? 'The service has not said when it ends.' : `It ends on ${day(end)}.`),
    `${name} is deprecated`,
  )
}

/** Reads `@` and seconds since the epoch, with optional parameters (RFC 9651, "Dates"), as epoch ms. */
function structuredDate(text: string | null): number | undefined {
  const seconds = /^@(\d{1,11})(?![^;])/.exec(text ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1_000
}

const day = (time: number) => new Date(time).toISOString().slice(0, 10)
