import { redactApiKey } from './apiKey.ts'

const stringLiteral = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/**
 * Removes the API key from the strings of a JSON text, also where it is escaped. Numbers stay, so that ids are exact.
 * Returns the same text where there is nothing to remove, or where it is not JSON.
 */
export function redactJson(text: string | undefined, key: string | undefined): string | undefined {
  const forms = keyForms(key)
  if (forms.length === 0 || text === undefined) return text
  // Most texts hold neither. Any character may be escaped.
  if (!text.includes('\\') && !forms.some((form) => text.includes(form))) return text
  try {
    return redactLiterals(text, forms)
  } catch {
    return text // it is no JSON, so nobody gets to see it
  }
}

function redactLiterals(text: string, forms: readonly string[]): string {
  return text.replaceAll(stringLiteral, (literal) => {
    const value: unknown = literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1)
    const plain = String(value)
    const redacted = forms.reduce(redactApiKey, plain)
    return redacted === plain ? literal : JSON.stringify(redacted)
  })
}

/** In characters. The base64 of a shorter key is likely to be a part of other words. */
const minLengthForBase64 = 8

/** The key as it is, percent-encoded and in base64. */
function keyForms(key: string | undefined): readonly string[] {
  if (!key) return []
  const forms = [key, encodeURIComponent(key)]
  // The last digit depends on what follows.
  return key.length < minLengthForBase64 ? forms : [...forms, btoa(key).replace(/.=*$/, '')]
}
