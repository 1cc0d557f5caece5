/** A response to a request that may be repeated. */
export interface CacheableResponse {
  /** Equal for requests that ask for the same under the same key; `undefined` for responses that are not kept. */
  readonly identity: string | undefined
  readonly schema: unknown
  readonly status: number
  readonly text: string | undefined
}

/** Keeps the last response to each GET: an equal text is the same value, with nothing to parse, check or render. */
export interface ResponseCache {
  /** The value of the last response where this one equals it; else what `parse` makes of this one. */
  readonly getOrParse: (response: CacheableResponse, parse: () => Promise<unknown>) => Promise<unknown>
}

interface CacheEntry extends CacheableResponse {
  readonly value: unknown
}

/** How many requests a client keeps the last response of. */
const maxEntries = 50

export function createResponseCache(): ResponseCache {
  /** The least recently used entry stands first. */
  const entries = new Map<string, CacheEntry>()

  return {
    getOrParse: async (response, parse) => {
      const { identity, schema, status, text } = response
      if (identity === undefined) return parse()
      const last = entries.get(identity)
      const isSame = last && last.schema === schema && last.status === status && last.text === text
      const value = isSame ? last.value : await parse()
      entries.delete(identity)
      entries.set(identity, { ...response, value })
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
      return value
    },
  }
}
