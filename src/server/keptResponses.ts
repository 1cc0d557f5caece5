/** A response of the service that may be served again. */
export interface KeptResponse {
  readonly status: number
  readonly body: Uint8Array<ArrayBuffer>
  readonly etag: string
  /** Epoch ms. */
  readonly receivedAt: number
  /** Stands for the API key that it was requested with. */
  readonly keyId: string
}

/** The kept responses: the least recently used leave first. */
export interface KeptResponses {
  readonly find: (key: string) => KeptResponse | undefined
  /** Keeps nothing if there has been a change since `generation` was read: the response may be older than it. */
  readonly keep: (key: string, response: KeptResponse, generation: number) => void
  /** Rises with each change. Read it before the request leaves. */
  readonly generation: number
  /** Drops everything, after a change. */
  readonly clear: () => void
  /** Drops everything that was requested with a key which the service now refuses. */
  readonly forget: (keyId: string) => void
}

/** What an entry takes beside its key and its body, in bytes: without it, small responses would count for nothing. */
const entryOverhead = 500

/** @param maxSize - bytes */
export function createKeptResponses(maxSize: number): KeptResponses {
  /** The least recently used stands first. */
  const entries = new Map<string, KeptResponse>()
  let size = 0
  let generation = 0

  const sizeOf = (key: string, { body }: KeptResponse) => entryOverhead + 2 * key.length + body.byteLength

  function remove(key: string): KeptResponse | undefined {
    const response = entries.get(key)
    if (response && entries.delete(key)) size -= sizeOf(key, response)
    return response
  }

  function add(key: string, response: KeptResponse): void {
    entries.set(key, response)
    size += sizeOf(key, response)
  }

  return {
    find: (key) => {
      const response = remove(key)
      if (response) add(key, response)
      return response
    },
    keep: (key, response, since) => {
      if (since !== generation) return
      remove(key)
      add(key, response)
      for (const oldest of entries.keys()) {
        if (size <= maxSize) break
        remove(oldest)
      }
    },
    get generation() {
      return generation
    },
    clear: () => {
      entries.clear()
      size = 0
      generation += 1
    },
    forget: (keyId) => {
      for (const [key, response] of entries) if (response.keyId === keyId) remove(key)
    },
  }
}
