/** A strong ETag: equal for equal bodies alone. */
export async function entityTag(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', body)
  return `"${btoa(String.fromCharCode(...new Uint8Array(digest).subarray(0, 18)))}"`
}

/** Whether `If-None-Match` names the tag (RFC 9110, 13.1.2). */
export function matchesEntityTag(header: string | null, tag: string): boolean {
  if (header === null) return false
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag)
}
