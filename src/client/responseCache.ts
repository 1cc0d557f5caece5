/** A response, and what reads it. */
export interface CacheableResponse {
  /** Equal for calls that ask for the same; `undefined`: not remembered. */
  readonly identity: string | undefined
  readonly schema: unknown
  readonly response: { readonly status: number; readonly text: string | undefined }
}

/** The same text as last time is the same value as last time: nothing to parse, to check, or to render. */
export interface ResponseCache {
  /** The value of the last response if this one equals it, else what `read` makes of this one. */
  readonly recall: <Value>(response: CacheableResponse, read: () => Promise<Value>) => Promise<Value>
}

interface Entry {
  readonly schema: unknown
  readonly status: number
  readonly text: string | undefined
  readonly value: unknown
}

/** How many different questions a client remembers the last response to. */
const maxEntries = 50

export function createResponseCache(): ResponseCache {
  /** The one used longest ago stands first. */
  const entries = new Map<string, Entry>()

  return {
    recall: async <Value>(
      { identity, schema, response }: CacheableResponse,
      read: () => Promise<Value>,
    ): Promise<Value> => {
      if (identity === undefined) return read()
      const { status, text } = response
      const last = entries.get(identity)
      const isSame = last && last.schema === schema && last.status === status && last.text === text
      // The very same schema read it: so the same type.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const value = isSame ? (last.value as Value) : await read()
      entries.delete(identity)
      entries.set(identity, { schema, status, text, value })
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
      return value
    },
  }
}
