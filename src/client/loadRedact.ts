import type { Redact } from './createRedact.ts'

/**
 * What removes the key from these texts. Only texts that may have it in another form, escaped or in base64, load the code
 * that knows these forms. Where it cannot be loaded, nothing of them is shown.
 */
export async function loadRedact(key: string | undefined, texts: readonly string[]): Promise<Redact> {
  if (!key) return (text) => text
  const redactPlain = (text: string) => text.replaceAll(key, '[API key]')
  // Base64 is longer than the key. That of a short one is not looked for, since it is likely to be a part of other words.
  const mayHideIt = RegExp(`[\\\\%&]|[\\w+/-]{${key.length < 8 ? 1e9 : key.length}}`)
  if (!texts.some((text) => mayHideIt.test(redactPlain(text)))) return redactPlain
  try {
    const { createRedact } = await import('./createRedact.ts')
    return createRedact(key)
  } catch {
    return () => '[redacted]'
  }
}
