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

/** @param maxSize - bytes of all kept texts together */
export function createResponseCache(maxSize: number): ResponseCache {
  /** The least recently used entry stands first. */
  const entries = new Map<string, CacheEntry>()
  let size = 0

  function remove(identity: string): void {
    size -= sizeOf(entries.get(identity))
    entries.delete(identity)
  }

  function set(identity: string, entry: CacheEntry): void {
    remove(identity)
    if (sizeOf(entry) > maxSize) return
    entries.set(identity, entry)
    size += sizeOf(entry)
    for (const oldest of entries.keys()) {
      if (size <= maxSize) return
      remove(oldest)
    }
  }

  return {
    getOrParse: async (response, parse) => {
      const { identity, schema, status, text } = response
      if (identity === undefined) return parse()
      const last = entries.get(identity)
      const isSame = last && last.schema === schema && last.status === status && last.text === text
      const value = isSame ? last.value : await parse()
      set(identity, { ...response, value })
      return value
    },
  }
}

/** About the bytes that an engine needs for the text, and for what it became. */
function sizeOf(entry: CacheEntry | undefined): number {
  return entry ? 100 + (entry.text?.length ?? 0) : 0
}
