import type { Operation } from '../contract/defineOperation.ts'
import { fillPath } from '../contract/fields.ts'
import { documentedOperations, operations } from '../contract/operations.ts'
import { basePaths, createPathPattern } from '../contract/createPathPattern.ts'
import { type Handler, registeredHandler, type ServiceOperation } from './handlers.ts'

/** The operation that a request calls. */
export interface Route {
  readonly operation: Operation
  /** The handler of an operation that a test registered. `ServiceState` has the handlers of all others. */
  readonly handler?: Handler
  /** The fields of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
}

export type Router = ReturnType<typeof createRouter>

/** Method and path without field names. Two operations with the same signature cannot be told apart. */
function signature({ method, base, path }: Operation): string {
  return `${method} ${basePaths[base]}${fillPath(path, () => '{}')}`
}

function compileRoute(route: Omit<Route, 'params'>) {
  const { base, path, name } = route.operation
  const pattern = createPathPattern(basePaths[base], path)
  const hasStrayBrace = /[{}]/.test(fillPath(path, () => ''))
  if (hasStrayBrace || new Set(pattern.names).size < pattern.names.length) {
    throw new TypeError(`operations: the path "${path}" of ${name} is unclear. Write fields as {name}, each once.`)
  }
  return { ...route, ...pattern }
}

/**
 * Creates a router for the documented operations and those that a test registered.
 *
 * @throws TypeError when a registered operation's path is invalid or already served.
 */
export function createRouter(registered: readonly ServiceOperation[] = []) {
  const routes = Object.values<Operation>(documentedOperations).map(
    (operation): Omit<Route, 'params'> => ({ operation }),
  )
  const isServed = (operation: Operation): boolean =>
    routes.some((route) => signature(route.operation) === signature(operation))
  for (const extra of registered) {
    const { operation } = extra
    if (isServed(operation)) {
      throw new TypeError(`operations: ${signature(operation)} is served already. Leave ${operation.name} out.`)
    }
    routes.push({ operation, handler: registeredHandler(extra) })
  }
  // Adds operations whose payload is not documented, such as `getPet`, unless a test has registered them.
  for (const operation of Object.values<Operation>(operations)) {
    if (!isServed(operation)) routes.push({ operation })
  }
  const entries = routes.map(compileRoute)
  // A path without fields comes before one with a field that would match the same address.
  entries.sort((a, b) => a.names.length - b.names.length)

  /**
   * Finds the route of a method and a pathname. If the method is wrong, `allow` lists those of the pathname; it is empty
   * for an unknown pathname.
   */
  const findRoute = (method: string, pathname: string): Route | { readonly allow: readonly string[] } => {
    const allow = new Set<string>()
    for (const { names, match, ...route } of entries) {
      const values = match(pathname)
      if (!values) continue
      if (route.operation.method !== method) allow.add(route.operation.method)
      else return { ...route, params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) }
    }
    return { allow: [...allow] }
  }
  return Object.assign(findRoute, { operations: new Set(entries.map(({ operation }) => operation.name)) })
}

/** The base addresses of a service. */
export interface ServiceAddresses {
  /** Ends with `/v1`. */
  readonly baseUrl: string
  /** The separate base address of the quickstart request. It is not below `/v1`. */
  readonly quickstartBaseUrl: string
}

/**
 * @param origin such as `https://petstore.test`
 * @throws TypeError when the origin is no valid URL
 */
export function addressesAt(origin: string): ServiceAddresses {
  return {
    baseUrl: new URL(basePaths.service, origin).href,
    quickstartBaseUrl: new URL(basePaths.quickstart, origin).href,
  }
}
