import { fillPath, type Operation } from './defineOperation.ts'

/** Where the mock service and the handler serve the operations of each base address. */
export const basePaths: Readonly<Record<Operation['base'], string>> = { service: '/v1', quickstart: '/quickstart' }

/** A path whose addresses can be recognized. */
export interface PathPattern {
  readonly names: readonly string[]
  /** The decoded fields of an address, in the order of their names; `undefined` for an address of another path. */
  readonly match: (pathname: string) => readonly string[] | undefined
}

/** @param base - the path below which it is served */
export function createPathPattern(base: string, path: string): PathPattern {
  const names: string[] = []
  // No path holds a line break.
  const literals = fillPath(path, (name) => {
    names.push(name)
    return '\n'
  }).split('\n')
  const pattern = new RegExp(`^${literal(base)}${literals.map(literal).join('([^/]+)')}$`)
  return {
    names,
    match: (pathname) => {
      const values = pattern.exec(pathname)?.slice(1)
      try {
        return values?.map((value) => decodeURIComponent(value))
      } catch {
        return undefined // a stray percent sign
      }
    },
  }
}

/** A pattern for a part of a path, as it stands in an address. */
function literal(part: string): string {
  const encoded = encodeURI(part).replaceAll('%25', '%') // what is encoded already stays
  return encoded.replaceAll(/[.*+?^$()|[\]{}\\]/g, String.raw`\$&`)
}
