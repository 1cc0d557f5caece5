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
  readonly quota: number
  /** Until when it refuses everything. */
  readonly closedUntil: number
  /** When the window ends in which a request arrived last. */
  readonly windowEnd: number
  /** The units of that window that are used. */
  readonly used: number
}

export const createSmallService = (quota: number): SmallService => ({ quota, closedUntil: 0, windowEnd: 0, used: 0 })

/** Responds to a request: with `text`, or with a 429. Returns the service as it is then, too. */
export function arriveAt(
  service: SmallService,
  time: number,
  text: string,
): { readonly service: SmallService; readonly response: SmallResponse } {
  const { quota, closedUntil } = service
  const isNew = time >= service.windowEnd
  const windowEnd = isNew ? (Math.floor(time / minute) + 1) * minute : service.windowEnd
  const before = isNew ? 0 : service.used
  const isClosed = time < closedUntil
  const isRefused = isClosed || before >= quota
  const used = isRefused ? before : before + 1
  const wait = Math.ceil(((isClosed ? closedUntil : windowEnd) - time) / 1_000) * 1_000
  const headers = {
    'x-ratelimit-limit': String(quota),
    'x-ratelimit-remaining': String(quota - used),
    'x-ratelimit-reset': String(windowEnd / 1_000),
    date: new Date(time).toUTCString(),
  }
  const response = isRefused
    ? respondWith(429, { ...headers, 'retry-after': String(wait / 1_000) }, '', wait)
    : respondWith(200, headers, text)
  return { service: { quota, closedUntil, windowEnd, used }, response }
}

/** Refuses everything for a while. */
export const closeAt = (service: SmallService, time: number): SmallService => ({
  ...service,
  closedUntil: time + refusalTime,
})

export const describeService = ({ closedUntil, windowEnd, used }: SmallService): string =>
  `${closedUntil} ${windowEnd} ${used}`
