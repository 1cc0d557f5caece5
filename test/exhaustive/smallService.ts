const minute = 60_000
/** How long the service refuses everything, in ms, where it does so for another reason than the quota. */
const refusalTime = 5_000

/** What the client reads of a response. */
export interface SmallResponse {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly type: string
  readonly body: null
  readonly text: () => Promise<string>
  /** How long the service refuses further requests, in ms. */
  readonly wait: number
  /** Equal for equal responses. */
  readonly key: string
}

function respondWith(status: number, headers: Readonly<Record<string, string>>, text: string, wait = 0): SmallResponse {
  const get = (name: string) => headers[name] ?? null
  const key = [status, ...Object.values(headers), text].join()
  return { status, headers: { get }, type: 'basic', body: null, text: async () => text, wait, key }
}

/** A gateway's response, which explains nothing. */
export const gatewayResponse = respondWith(503, {}, '')

/** A service with one window of a minute. Times are epoch ms. */
export interface SmallService {
  /** When the window ends in which a request arrived last. */
  readonly windowEnd: number
  /** Responds to a request: with `text`, or with a 429. */
  readonly arrive: (time: number, text: string) => SmallResponse
  /** Refuses everything for a while. */
  readonly close: (time: number) => void
  readonly state: () => string
}

export function createSmallService(quota: number): SmallService {
  let closedUntil = 0
  let windowEnd = 0
  let used = 0

  return {
    get windowEnd() {
      return windowEnd
    },
    arrive: (time, text) => {
      if (time >= windowEnd) {
        windowEnd = (Math.floor(time / minute) + 1) * minute
        used = 0
      }
      const isClosed = time < closedUntil
      const isRefused = isClosed || used >= quota
      if (!isRefused) used += 1
      const wait = Math.ceil(((isClosed ? closedUntil : windowEnd) - time) / 1_000) * 1_000
      const headers = {
        'x-ratelimit-limit': String(quota),
        'x-ratelimit-remaining': String(quota - used),
        'x-ratelimit-reset': String(windowEnd / 1_000),
        date: new Date(time).toUTCString(),
      }
      if (!isRefused) return respondWith(200, headers, text)
      return respondWith(429, { ...headers, 'retry-after': String(wait / 1_000) }, '', wait)
    },
    close: (time) => {
      closedUntil = time + refusalTime
    },
    state: () => `${closedUntil} ${windowEnd} ${used}`,
  }
}
