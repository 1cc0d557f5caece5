/** Unique in practice, but guessable. `crypto.randomUUID` does not exist on insecure origins. */
export function randomId(random: () => number = Math.random): string {
  // `join` saves memory while thousands of calls wait: of a text that was made with `+`, V8 also keeps both parts.
  return [random().toString(36).slice(2), random().toString(36).slice(2)].join('')
}

/** The hash of a text, in hexadecimal digits; `undefined` where the runtime has no `crypto.subtle`. */
export async function hashOf(text: string, algorithm = 'SHA-256'): Promise<string | undefined> {
  // Missing on insecure origins, whatever the type of `crypto` says.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (!subtle) return undefined
  const digest = await subtle.digest(algorithm, new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
