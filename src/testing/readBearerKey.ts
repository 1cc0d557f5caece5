/**
 * The API key of an Authorization header, or `undefined` when it is not in the documented form `Bearer <API_KEY>`.
 * Strict on purpose: one space, and `Bearer` with a capital, so that a client cannot rely on leniency.
 */
export function readBearerKey(header: string | null): string | undefined {
  return header === null ? undefined : /^Bearer (\S+)$/.exec(header)?.[1]
}
