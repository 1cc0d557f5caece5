/** A rate limit in front of the service that says nothing about itself. */
export interface Gateway {
  /** Lets a request pass, or refuses it. Refused requests do not count. */
  readonly accept: (at: number) => boolean
  /** The earliest time, from `from` on, at which a request passes with that much of the burst to spare (epoch ms). */
  readonly opensAt: (from: number, spare: number) => number
}

export interface GatewayOptions {
  /** One request passes in this time, in ms. */
  readonly interval: number
  /** How many more may come early. */
  readonly burst: number
}

/** What nginx does with `limit_req … burst=<burst> nodelay`: a leaky bucket. */
export function createGateway({ interval, burst }: GatewayOptions): Gateway {
  /** Requests ahead of the rate, and when the last one passed. */
  let excess = -1
  let last = 0
  const excessAt = (at: number) => Math.max(0, excess - (at - last) / interval + 1)
  return {
    accept: (at) => {
      const next = excess < 0 ? 0 : excessAt(at)
      if (next > burst) return false
      excess = next
      last = at
      return true
    },
    opensAt: (from, spare) => (excess < 0 ? from : Math.max(from, last + (excess + 1 - burst + spare) * interval)),
  }
}

/** The response of nginx to a request that it refuses: no rate-limit headers, no Retry-After. */
export function refusedByGateway(now: number): Response {
  const headers = { 'Content-Type': 'text/html', Date: new Date(now).toUTCString(), Server: 'nginx' }
  const text = '<html><head><title>503 Service Temporarily Unavailable</title></head></html>'
  return new Response(text, { status: 503, headers })
}
