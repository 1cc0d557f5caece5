import type { Operation } from '../contract/defineOperation.ts'
import { documentedOperations, operations } from '../contract/operations.ts'
import { type Handler, registeredHandler, type ServiceOperation } from './handlers.ts'

/** The base paths of the service. They are the same for every origin. */
const basePaths: Readonly<Record<Operation['base'], string>> = { service: '/v1', quickstart: '/quickstart' }

/** The operation that a request calls. */
export interface Route {
  readonly operation: Operation
  /** Set for operations that a test registered. The handlers of the others belong to the service's state. */
  readonly handler?: Handler
  /** The fields of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** Finds the route of a method and a pathname. `allow` lists the methods of the pathname if the method is wrong. */
export interface Router {
  (method: string, pathname: string): Route | { readonly allow: readonly string[] }
  /** The names of all operations. */
  readonly operations: ReadonlySet<string>
}

interface RouteEntry extends Omit<Route, 'params'> {
  readonly pattern: RegExp
  readonly fields: readonly string[]
}

const field = /\{([^{}/]+)\}/g

/** Method and path without field names. Two operations with the same signature cannot be told apart. */
function signature({ method, base, path }: Operation): string {
  return `${method} ${basePaths[base]}${path.replace(field, '{}')}`
}

function readEntry({ operation, handler }: Omit<Route, 'params'>): RouteEntry {
  const { base, path, name } = operation
  const fields = [...path.matchAll(field)].map((match) => match[1] ?? '')
  const literals = path.split(/\{[^{}/]+\}/)
  if (literals.some((literal) => /[{}]/.test(literal)) || new Set(fields).size < fields.length) {
    throw new TypeError(`operations: the path "${path}" of ${name} is unclear. Write fields as {name}, each once.`)
  }
  const escaped = literals.map((literal) => encodeURI(literal).replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${basePaths[base]}${escaped.join('([^/]+)')}$`)
  return { operation, fields, pattern, ...(handler && { handler }) }
}

type PathPattern = Pick<RouteEntry, 'pattern' | 'fields'>

function readParams({ pattern, fields }: PathPattern, pathname: string): Record<string, string> | undefined {
  const values = pattern.exec(pathname)?.slice(1)
  if (!values) return undefined
  try {
    return Object.fromEntries(fields.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
  } catch {
    return undefined // A stray percent sign is no valid address.
  }
}

/**
 * Creates a router for the documented operations and those that a test registered.
 *
 * @throws TypeError when a registered operation's path is invalid or already served.
 */
export function createRouter(registered: readonly ServiceOperation[] = []): Router {
  const routes: Omit<Route, 'params'>[] = Object.values<Operation>(documentedOperations).map((operation) => ({
    operation,
  }))
  const isServed = (operation: Operation): boolean =>
    routes.some((route) => signature(route.operation) === signature(operation))
  for (const extra of registered) {
    const { operation } = extra
    if (isServed(operation)) {
      throw new TypeError(`operations: ${signature(operation)} is served already. Leave ${operation.name} out.`)
    }
    routes.push({ operation, handler: registeredHandler(extra) })
  }
  for (const operation of Object.values<Operation>(operations)) {
    if (!isServed(operation)) routes.push({ operation })
  }
  const entries = routes.map(readEntry)
  // A path without fields comes before one with a field that would match the same address.
  entries.sort((a, b) => a.fields.length - b.fields.length)

  const findRoute = (method: string, pathname: string) => {
    const allow: string[] = []
    for (const { pattern, fields, ...route } of entries) {
      const params = readParams({ pattern, fields }, pathname)
      if (params && route.operation.method === method) return { ...route, params }
      if (params) allow.push(route.operation.method)
    }
    return { allow }
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
