import { createBoundedCache } from '../base/boundedCache.ts'

/** A response to a request that may be repeated. */
export interface CacheableResponse {
  readonly schema: unknown
  readonly status: number
  readonly text: string
}

/** Keeps the last response to each GET: an equal text is the same value, with nothing to parse, check or render. */
export interface ResponseCache {
  /**
   * The value of the last response where this one equals it; else what `parse` makes of this one.
   *
   * @param identity - equal for requests that ask for the same under the same key
   */
  readonly getOrParse: (
    identity: string,
    response: CacheableResponse,
    parse: () => Promise<unknown>,
  ) => Promise<unknown>
  /** Forgets all responses. */
  readonly clear: () => void
}

interface CacheEntry extends CacheableResponse {
  readonly value: unknown
  /** About the bytes that an engine needs for the text, and for what it became. */
  readonly size: number
}

/** @param maxSize - bytes of all kept texts together */
export function createResponseCache(maxSize: number): ResponseCache {
  const { values, set, clear } = createBoundedCache<CacheEntry>(maxSize)
  return {
    getOrParse: async (identity, { schema, status, text }, parse) => {
      const last = values.get(identity)
      const isSame = last?.text === text && last.schema === schema && last.status === status
      const value = isSame ? last.value : await parse()
      set(identity, { schema, status, text, value, size: 100 + text.length })
      return value
    },
    clear,
  }
}
