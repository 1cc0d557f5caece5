import { configError, isDevelopment } from '../base/development.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { HandlerError } from './HandlerError.ts'

/** The operation that a request asks for. */
export interface Route {
  readonly operation: Operation
  /** The fields of the path, percent-decoded. */
  readonly fields: Readonly<Record<string, string>>
}

/** The operations that visitors may use, by method and pathname. */
export interface Routes {
  /** @throws HandlerError with 404 where no operation has the pathname, with 405 where none has the method */
  readonly find: (method: string, pathname: string) => Route
  /** The methods of a pathname. */
  readonly methodsOf: (pathname: string) => readonly string[]
}

interface Pattern {
  readonly operation: Operation
  readonly regExp: RegExp
  readonly names: readonly string[]
}

/** The paths below `basePath` are those that a page's client appends to its two base addresses. */
const mounts: Readonly<Record<Operation['base'], string>> = { service: '/v1', quickstart: '/quickstart' }

/** @throws TypeError when two operations have the same address */
export function createRoutes(basePath: string, operations: readonly Operation[]): Routes {
  const patterns = operations.map((operation) => createPattern(basePath, operation))
  // An address without fields goes before one whose field would match it.
  patterns.sort((one, other) => one.names.length - other.names.length)
  const addresses = new Set<string>()
  for (const { operation, regExp } of patterns) {
    const address = `${operation.method} ${regExp.source}`
    if (addresses.has(address)) {
      throw configError(operation.name, isDevelopment && 'has the method and path of another operation.')
    }
    addresses.add(address)
  }

  const matches = (pathname: string) =>
    patterns.flatMap(({ operation, regExp, names }) => {
      const segments = regExp.exec(pathname)?.slice(1)
      const fields = segments && decodeFields(names, segments)
      return fields ? [{ operation, fields }] : []
    })

  return {
    find: (method, pathname) => {
      const routes = matches(pathname)
      if (routes.length === 0) throw new HandlerError(404, 'not-found', 'This address does not exist.')
      const route = routes.find(({ operation }) => operation.method === method)
      if (route) return route
      const allow = routes.map(({ operation }) => operation.method).join(', ')
      throw new HandlerError(405, 'method-not-allowed', `This address takes ${allow}.`, { Allow: allow })
    },
    methodsOf: (pathname) => matches(pathname).map(({ operation }) => operation.method),
  }
}

function createPattern(basePath: string, operation: Operation): Pattern {
  const names: string[] = []
  const source = operation.path
    .split(/\{([^{}]+)\}/)
    .map((part, index) => {
      if (index % 2 === 0) return literal(part)
      names.push(part)
      return '([^/]+)'
    })
    .join('')
  return { operation, regExp: new RegExp(`^${literal(basePath + mounts[operation.base])}${source}$`), names }
}

/** A pattern for a part of a path, as it stands in an address. */
function literal(part: string): string {
  const encoded = encodeURI(part).replaceAll('%25', '%') // what is encoded already stays
  return encoded.replaceAll(/[.*+?^$()|[\]{}\\]/g, String.raw`\$&`)
}

// A server behind this one could decode them again, and find another path.
// oxlint-disable-next-line no-control-regex
const ambiguous = /[/\\%\u0000-\u001f\u007f]/

/** `undefined` where a segment is no percent-encoded text, or could stand for more than one segment. */
function decodeFields(names: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  try {
    const values = segments.map((segment) => decodeURIComponent(segment))
    if (values.some((value) => ambiguous.test(value))) return undefined
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
  } catch {
    return undefined
  }
}
