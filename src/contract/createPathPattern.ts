import type { Operation } from './defineOperation.ts'
import { fillPath } from './fields.ts'

/** Where the mock service and the handler serve the operations of each base address. */
export const basePaths: Readonly<Record<Operation['base'], string>> = { service: '/v1', quickstart: '/quickstart' }

/** Recognizes the paths of requests for an operation that is served below `base`, such as `/v1`. */
export function createPathPattern(base: string, path: string) {
  // Every second part is the name of a field. No path holds a line break, so it can separate them.
  const parts = fillPath(path, (name) => `\n${name}\n`).split('\n')
  const literals = parts.filter((_, index) => index % 2 === 0).map(literal)
  const pattern = new RegExp(`^${literal(base)}${literals.join('([^/]+)')}$`)
  return {
    names: parts.filter((_, index) => index % 2 === 1),
    /** The decoded fields of a request's path, in the order of `names`; `undefined` for another operation. */
    match: (pathname: string): readonly string[] | undefined => {
      const values = pattern.exec(pathname)?.slice(1)
      try {
        return values?.map((value) => decodeURIComponent(value))
      } catch {
        return undefined // `decodeURIComponent` throws on a stray percent sign
      }
    },
  }
}

/** A regular expression for a part of a path, which is percent-encoded in addresses. */
function literal(part: string): string {
  const encoded = encodeURI(part).replaceAll('%25', '%') // keeps what is encoded already
  return encoded.replaceAll(/[.*+?^$()|[\]{}\\]/g, String.raw`\$&`)
}
