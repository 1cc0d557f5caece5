import { Refusal } from './Refusal.ts'

/**
 * Refuses requests that a page of another site makes a browser send: they would carry the visitor's cookies, and spend
 * the quota. `Sec-Fetch-Site` says where a request comes from, and no page can change it. Old browsers, and all browsers
 * on plain http, do not send it: then `Origin` has to name this host. What sends neither is no browser.
 *
 * @throws Refusal with 403
 */
export function checkRequestOrigin(request: Request, allowedOrigins: ReadonlySet<string>): void {
  const site = request.headers.get('Sec-Fetch-Site')
  const origin = request.headers.get('Origin')
  // `none`: the person has typed the address or chosen a bookmark.
  if (site === 'same-origin' || site === 'none') return
  if (site === null && (origin === null || isOwnOrigin(origin, request))) return
  if (origin !== null && allowedOrigins.has(origin)) return
  throw new Refusal(403, 'cross-site', 'Only pages of this site can use this address.')
}

/** Compares hosts alone, since a proxy may have ended the TLS connection. */
function isOwnOrigin(origin: string, { headers, url }: Request): boolean {
  try {
    const { protocol, host } = new URL(origin)
    const ownHost = headers.get('Host') ?? new URL(url).host
    // The address drops a default port, and would take a path in the header.
    return !/[/\\?#@]/.test(ownHost) && new URL(`${protocol}//${ownHost}`).host === host
  } catch {
    return false
  }
}
