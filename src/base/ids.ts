/** Unique in practice, but no secret. `crypto.randomUUID` does not exist on insecure origins. */
export function randomId(random: () => number = Math.random): string {
  // Joined by `+`, both parts and the whole would stay in memory, and thousands of calls may wait.
  return [random().toString(36).slice(2), random().toString(36).slice(2)].join('')
}

/** The hash of a text (SHA-256), in hexadecimal digits; `undefined` where there is no secure crypto, as on insecure origins. */
export async function hashOf(text: string, algorithm = 'SHA-256'): Promise<string | undefined> {
  // Its type says that it is never missing.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (!subtle) return undefined
  const digest = await subtle.digest(algorithm, new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
