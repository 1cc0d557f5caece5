import type { StandardSchemaV1 } from '@standard-schema/spec'
import { endOfString } from '../contract/parseExactJson.ts'
import { createRedact, isShortKey } from './apiKey.ts'

/** A successful response as the service sent it, for a server that passes it on. */
export interface RawResponse {
  readonly status: number
  /** As the service sent them. They may hold the API key. */
  readonly headers: Headers
  /** JSON, or empty. As the service sent it, but without the API key, which the service may repeat. */
  readonly text: string
  /** When its request left (epoch ms). */
  readonly sentAt: number
  /** The API key of its request. It never leaves the server. */
  readonly key: string | undefined
}

/** An `output` that asks for the response itself, since a parsed value loses the exact text. Only servers load one. */
export interface RawOutput extends StandardSchemaV1<unknown, RawResponse> {
  /** Removes the key from the text of a success. */
  readonly redactJson: (text: string, key: string | undefined) => string
}

/** Replaces an operation's `output`, so that the call resolves with the response itself. */
export const rawOutput: RawOutput = {
  redactJson,
  '~standard': {
    version: 1,
    vendor: 'petstore-react',
    // `parseResponse` ignores these issues: of a raw response it only checks that it is JSON.
    validate: () => ({ issues: [{ message: 'expected a response' }] }),
  },
}

/** Removes the API key from the strings of a JSON text. Numbers keep their digits, so that ids are exact. */
function redactJson(text: string, key: string | undefined): string {
  const redact = createRedact(key)
  // Most texts contain neither the key nor an escape that may hide it. Their strings need not be read one by one.
  if (redact(text) === text && !text.includes('\\')) return text
  const parts: string[] = []
  let end = 0
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', end)) {
    parts.push(text.slice(end, start))
    end = endOfString(text, start)
    const string = text.slice(start, end)
    const value = String(JSON.parse(string))
    // A short key may equal the name of a field by chance. The name stays.
    const isFieldName = isShortKey(key) && text.slice(end).trimStart().startsWith(':')
    const redacted = isFieldName ? value : redact(value)
    parts.push(redacted === value ? string : JSON.stringify(redacted))
  }
  return parts.join('') + text.slice(end)
}
