/**
 * The API key of an Authorization header, or `undefined` if it does not have the documented form `Bearer <API_KEY>`.
 * Strict on purpose (one space, a capital B), so that no client relies on leniency.
 */
export function readBearerKey(header: string | null): string | undefined {
  return header === null ? undefined : /^Bearer (\S+)$/.exec(header)?.[1]
}
