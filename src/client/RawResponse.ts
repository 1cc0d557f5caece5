import type { StandardSchemaV1 } from '@standard-schema/spec'

/** A successful response as the service sent it, for a server that passes it on. */
export interface RawResponse {
  readonly status: number
  /** As the service sent them. They may hold the API key. */
  readonly headers: Headers
  /** JSON, or empty. Exact, except that the API key is redacted where the service repeats it. */
  readonly text: string
  /** When its request left (epoch ms). */
  readonly sentAt: number
  /** The API key of its request. It never leaves the server. */
  readonly key: string | undefined
}

/** An `output` that takes the response itself, since no value could keep its text. Pages do not load what makes one. */
export interface RawOutput extends StandardSchemaV1<unknown, RawResponse> {
  /** Tells a text that is JSON by `null`. `undefined` for all others, such as an empty one. */
  readonly readQuickly: (text: string) => null | undefined
  /** Removes the key from the text of a success. */
  readonly redactJson: (text: string, key: string | undefined) => string
}

export function isRawOutput(output: StandardSchemaV1 | RawOutput): output is RawOutput {
  return 'redactJson' in output
}
