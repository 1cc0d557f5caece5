import { isDevelopment, configError } from '../base/development.ts'

/** The service's two base addresses, checked, without a trailing slash. A root-relative one starts with `/`. */
export interface Addresses {
  readonly service: string
  readonly quickstart: string | undefined
}

/**
 * Checks a base address: absolute http(s) or root-relative, without query, fragment or credentials. Removes a trailing
 * slash.
 *
 * @param option - the option's name, for the error
 * @param ending - how the address must end; the interface document says `/v1` for the service ("Endpoints")
 * @throws TypeError that says what to write instead
 */
export function checkBaseUrl(value: string, option: string, ending: '/v1' | ''): string {
  const refuse = (problem: string | false): never => {
    throw configError(
      option,
      isDevelopment &&
        `${problem}. Write "https://host${ending}" or, for the handler on your own server, "/path${ending}".`,
    )
  }

  // Untyped code passes `undefined` where an environment variable is not set.
  if (typeof value !== 'string') return refuse(isDevelopment && 'is not a text')
  const isRootRelative = /^\/(?!\/)/.test(value)
  const placeholder = 'http://root-relative.invalid'
  const url = parseUrl(value, isRootRelative ? placeholder : undefined)
  // Two leading slashes would address another host, also where a path such as `/.//host` resolves to them.
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
 * Makes a checked address absolute.
 *
 * @throws TypeError for a root-relative address outside a page
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
