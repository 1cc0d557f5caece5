import { configError } from '../base/development.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { fillPath } from '../contract/fields.ts'
import { basePaths, createPathPattern } from '../contract/createPathPattern.ts'
import { HandlerError } from './HandlerError.ts'

/** The operation that a request asks for. */
export interface Route {
  readonly operation: Operation
  /** The fields of the path, percent-decoded. */
  readonly fields: Readonly<Record<string, string>>
}

/**
 * The operations that visitors may use, by method and pathname.
 *
 * @throws TypeError when two operations have the same address
 */
export function createRoutes(basePath: string, operations: readonly Operation[]) {
  // Below `basePath`, the handler has the same addresses as the service: `/v1/…`, and `/quickstart/…`.
  const patterns = operations.map((operation) => ({
    operation,
    ...createPathPattern(basePath + basePaths[operation.base], operation.path),
  }))
  // An address without fields goes before one whose field would match it.
  patterns.sort((one, other) => one.names.length - other.names.length)
  const addresses = new Set<string>()
  for (const { operation } of patterns) {
    const { method, base, path } = operation
    const address = `${method} ${base} ${fillPath(path, () => '{}')}`
    if (addresses.has(address)) throw configError(operation.name, 'has the method and path of another operation.')
    addresses.add(address)
  }

  const matches = (pathname: string) =>
    patterns.flatMap(({ operation, names, match }) => {
      const values = match(pathname)
      if (!values || values.some((value) => ambiguous.test(value))) return []
      return [{ operation, fields: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) }]
    })

  return {
    /** @throws HandlerError with 404 where no operation has the pathname, with 405 where none has the method */
    find: (method: string, pathname: string): Route => {
      const routes = matches(pathname)
      if (routes.length === 0) throw new HandlerError(404, 'not-found', 'This address does not exist.')
      const route = routes.find(({ operation }) => operation.method === method)
      if (route) return route
      const allow = routes.map(({ operation }) => operation.method).join(', ')
      throw new HandlerError(405, 'method-not-allowed', `This address takes ${allow}.`, { Allow: allow })
    },
    methodsOf: (pathname: string) => matches(pathname).map(({ operation }) => operation.method),
  }
}

// A server behind this one could decode a path value with one of these characters again, and find another path.
// oxlint-disable-next-line no-control-regex
const ambiguous = /[/\\%\u0000-\u001f\u007f]/
