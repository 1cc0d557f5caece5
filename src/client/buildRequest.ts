import type { Operation } from '../contract/defineOperation.ts'
import { fillPath } from '../contract/fields.ts'
import { type ErrorContext, InputValidationError } from './errors.ts'
import { configError, isDevelopment } from '../base/development.ts'

/** Half of a surrogate pair, as in a text that ends within an emoji. */
const loneSurrogate = /\p{Surrogate}/u

/**
 * Builds the path, query and JSON body of a request from the input. Fields named in the path go there; the rest becomes the
 * query (GET, DELETE) or the body.
 *
 * @throws InputValidationError when a value for the path is missing, empty, `.` or `..`; when a value for the path or the query
 *   is neither text nor a number (nor a boolean in the query), or contains half of a surrogate pair; when JSON cannot hold the
 *   body; or when the input of a GET or DELETE is not an object
 */
export function buildRequest(
  operation: Pick<Operation, 'method' | 'path'>,
  input: unknown,
  context: ErrorContext,
): { readonly target: string; readonly body: string | undefined } {
  const fields = new Map(typeof input === 'object' && input !== null ? Object.entries(input) : [])
  const rest = new Map(fields)
  const path = fillPath(operation.path, (name) => {
    rest.delete(name)
    return pathSegment(name, fields.get(name), context)
  })

  if (operation.method !== 'GET' && operation.method !== 'DELETE') {
    const body = rest.size < fields.size ? Object.fromEntries(rest) : input
    return { target: path, body: body === undefined ? undefined : jsonText(body, context) }
  }
  if (input !== undefined && input !== null && (typeof input !== 'object' || Array.isArray(input))) {
    throw new InputValidationError(context, [{ message: 'expected an object' }])
  }
  const query = new URLSearchParams()
  for (const [name, value] of rest) {
    if (value === undefined || value === null) continue
    const text = typeof value === 'boolean' ? String(value) : textOf(value)
    // `URLSearchParams` would silently replace a lone surrogate, and the request would ask for something else.
    if (text === undefined || loneSurrogate.test(text)) throw invalidField(name, context)
    query.append(name, text)
  }
  const search = query.toString()
  return { target: search ? `${path}?${search}` : path, body: undefined }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'bigint' || Number.isFinite(value) ? String(value) : undefined

function pathSegment(name: string, value: unknown, context: ErrorContext): string {
  const text = textOf(value) ?? ''
  // Encoding keeps dots, and a URL parser resolves "." and ".." segments. Half of a surrogate pair cannot be encoded.
  if (text === '' || text === '.' || text === '..' || loneSurrogate.test(text)) throw invalidField(name, context)
  return encodeURIComponent(text)
}

const invalidField = (name: string, context: ErrorContext) =>
  new InputValidationError(context, [{ message: 'expected text or a number that a URL can hold', path: [name] }])

function jsonText(value: unknown, context: ErrorContext): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    // It holds a cycle, or a bigint.
  }
  // JSON keeps nothing of a function, a `FormData`, a `Map` or a `Blob`. Only the whole body is checked, not the values in it.
  if (text === undefined || (text === '{}' && {}.toString.call(value) !== '[object Object]')) {
    throw new InputValidationError(context, [{ message: 'expected a value that JSON can hold' }])
  }
  return text
}

/** The service's two base addresses, checked, without a trailing slash. Root-relative ones start with `/`. */
export interface Addresses {
  readonly service: string
  readonly quickstart: string | undefined
}

/**
 * Checks a base address: absolute http(s) or root-relative, without query, fragment or credentials. Removes trailing
 * slashes.
 *
 * @param option - the option's name, for the error
 * @param ending - how it has to end: `/v1` for the service (interface document, "Endpoints")
 * @throws TypeError that says (in development) what to write instead
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
  if (typeof value !== 'string') return refuse(isDevelopment && 'is not a string')
  const isRootRelative = /^\/(?!\/)/.test(value)
  const placeholder = 'http://root-relative.invalid'
  const url = parseUrl(value, isRootRelative ? placeholder : undefined)
  // A path that starts with `//`, even after its dots are resolved (`/.//host`), would lead to another host.
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
 * Makes a checked address absolute, on the origin of the page. Ignores the element `<base>`, which may name another
 * origin: that must not get the key.
 *
 * @throws TypeError for a root-relative address where there is no page, or one without an origin
 */
export function absoluteUrl(url: string): string {
  if (!url.startsWith('/')) return url
  const origin = pageOrigin()
  if (origin === undefined) {
    throw configError(
      `"${url}"`,
      isDevelopment &&
        'is root-relative, which needs a page with an address. Elsewhere, as on a server, give the absolute address.',
    )
  }
  return new URL(url, origin).href
}

/** The origin that a root-relative address is on; `undefined` on a server, and where the page has none. */
export function pageOrigin(): string | undefined {
  if (typeof location === 'undefined') return undefined
  if (location.origin !== 'null') return location.origin
  // An `about:blank` or `srcdoc` page has the origin of the page that created it, unless it is sandboxed.
  const { origin } = globalThis
  return origin && origin !== 'null' ? origin : undefined
}

function parseUrl(value: string, base: string | undefined): URL | undefined {
  try {
    // Not `canParse`: once it has been called some thousand times, Node 20 refuses addresses such as "https://bücher.test".
    return new URL(value, base)
  } catch {
    return undefined
  }
}

/**
 * Tells a handler on the page's own server whether a person waits for the call (`user` or `background`). Browsers let pages of
 * other origins send it only with that server's consent, which protects the handler against cross-site requests.
 */
export const priorityHeader = 'Petstore-Priority'
