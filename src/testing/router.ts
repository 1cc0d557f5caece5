import type { Operation } from '../contract/defineOperation.ts'
import { operations } from '../contract/operations.ts'
import { documentedHandlers, type Handler, registeredHandler, undocumentedHandler } from './handlers.ts'
import type { ServiceOperation } from './ServiceOperation.ts'

/** The paths under which the service stands, whatever the origin. */
export const basePaths: Readonly<Record<Operation['base'], string>> = { service: '/v1', quickstart: '/quickstart' }

/** Where a request leads. */
export interface Route extends Handler {
  readonly params: Readonly<Record<string, string>>
}

/** Finds the route of a method and a pathname; `allow` lists the methods where only the method is wrong. */
export type Router = (method: string, pathname: string) => Route | { readonly allow: readonly string[] }

interface Entry {
  readonly handler: Handler
  readonly pattern: RegExp
  readonly fields: readonly string[]
}

const field = /\{([^{}/]+)\}/g

/** Method and path with nameless fields: two operations with the same one cannot be told apart. */
function shape({ method, base, path }: Operation): string {
  return `${method} ${basePaths[base]}${path.replace(field, '{}')}`
}

function readEntry(handler: Handler): Entry {
  const { base, path, name } = handler.operation
  const fields = [...path.matchAll(field)].map((match) => match[1] ?? '')
  const literals = path.split(/\{[^{}/]+\}/)
  if (literals.some((literal) => /[{}]/.test(literal)) || new Set(fields).size < fields.length) {
    throw new TypeError(`operations: the path "${path}" of ${name} is unclear. Write fields as {name}, each once.`)
  }
  const escaped = literals.map((literal) => encodeURI(literal).replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return { handler, fields, pattern: new RegExp(`^${basePaths[base]}${escaped.join('([^/]+)')}$`) }
}

function readParams({ pattern, fields }: Entry, pathname: string): Record<string, string> | undefined {
  const values = pattern.exec(pathname)?.slice(1)
  if (!values) return undefined
  try {
    return Object.fromEntries(fields.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
  } catch {
    return undefined // A stray percent sign: no such address.
  }
}

/**
 * A router for the documented operations and those that a test registered.
 *
 * @throws TypeError when a registered operation's path cannot be used or is served already.
 */
export function createRouter(registered: readonly ServiceOperation[] = []): Router {
  const handlers = [...documentedHandlers]
  for (const extra of registered) {
    if (handlers.some((handler) => shape(handler.operation) === shape(extra.operation))) {
      throw new TypeError(`operations: ${shape(extra.operation)} is served already. Leave ${extra.operation.name} out.`)
    }
    handlers.push(registeredHandler(extra))
  }
  const served = new Set(handlers.map((handler) => shape(handler.operation)))
  const unserved = Object.values<Operation>(operations).filter((operation) => !served.has(shape(operation)))
  const entries = [...handlers, ...unserved.map(undocumentedHandler)].map(readEntry)
  // A path without fields is meant literally, so it comes before one whose field would take its place.
  entries.sort((a, b) => a.fields.length - b.fields.length)

  return (method, pathname) => {
    const allow: string[] = []
    for (const entry of entries) {
      const params = readParams(entry, pathname)
      if (params && entry.handler.operation.method === method) return { ...entry.handler, params }
      if (params) allow.push(entry.handler.operation.method)
    }
    return { allow }
  }
}
