import { isDevelopment, configError } from '../contract/configError.ts'

/** The two base addresses of the service, checked, without a trailing slash. Root-relative ones start with `/`. */
export interface Addresses {
  readonly service: string
  readonly quickstart: string | undefined
}

/**
 * Checks a base address: absolute http(s) or root-relative, no query, fragment or credentials. A trailing slash is
 * taken off.
 *
 * @param option - the option's name, for the error
 * @param ending - what the address has to end with, as the interface document says of the service's own (`/v1`)
 * @throws TypeError saying what to write instead
 */
export function checkBaseUrl(value: string, option: string, ending: '/v1' | ''): string {
  const refuse = (problem: string | false): never => {
    throw configError(
      option,
      isDevelopment &&
        `${problem}. Write "https://host${ending}" or, for your own forwarding server, "/path${ending}".`,
    )
  }

  // Untyped code hands in `undefined` where a variable of the environment is not set.
  if (typeof value !== 'string') return refuse(isDevelopment && 'is not a text')
  const isRootRelative = /^\/(?!\/)/.test(value)
  const placeholder = 'http://root-relative.invalid'
  const url = parseUrl(value, isRootRelative ? placeholder : undefined)
  // Two slashes in front, also such as `/.//host` comes down to, would lead a page to another host.
  const leavesHost = isRootRelative && (url?.origin !== placeholder || url.pathname.startsWith('//'))
  if (!url || leavesHost) return refuse(isDevelopment && 'is neither an absolute nor a root-relative address')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse(isDevelopment && 'is not an http or https address')
  if (url.username || url.password)
    return refuse(isDevelopment && 'holds credentials: the API key goes into apiKey, which sends it in a header')
  if (/[?#]/.test(value)) return refuse(isDevelopment && 'holds a query or a fragment')

  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith(ending)) return refuse(isDevelopment && `does not end with "${ending}"`)
  return isRootRelative ? path : url.origin + path
}

/**
 * The absolute form of a checked address.
 *
 * @throws TypeError for a root-relative one outside a page, where there is nothing that it could be relative to
 */
export function absoluteUrl(url: string): string {
  if (!url.startsWith('/')) return url
  if (typeof location === 'undefined') {
    throw configError(
      `"${url}"`,
      isDevelopment && 'is root-relative, which needs a page. On a server, give the absolute address.',
    )
  }
  return new URL(url, location.origin).href
}

function parseUrl(value: string, base: string | undefined): URL | undefined {
  try {
    return new URL(value, base)
  } catch {
    return undefined
  }
}
