/** Removes the API key from a text of others, in case they repeat it. */
export type Redact = (text: string) => string

/** Replaces the key as it is, as addresses write it, and in Base64, alone or as in its header. */
export function createRedact(key: string | undefined): Redact {
  if (!key) return (text) => text
  const forms = [btoa(`Bearer ${key}`), btoa(key), encodeURIComponent(key), key]
  const occurrences = new RegExp(forms.map((form) => form.replaceAll(/\W/g, '\\$&')).join('|'), 'g')
  return (text) => text.replace(occurrences, '[API key]')
}
