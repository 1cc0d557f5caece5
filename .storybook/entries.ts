import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseAst } from 'vite'
import manifest from '../package.json' with { type: 'json' }

/** The source file of each JavaScript entry, by the name in an app's imports. */
export const entries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === 'string'
      ? []
      : [[posix.join('petstore-react', name), target.default.replace('./dist/', 'src/').replace(/js$/, 'ts')]],
  ),
)

/** An export of an entry. */
export interface PublicName {
  readonly name: string
  readonly kind: 'value' | 'type'
}

/** All exports of a module, including those it re-exports. */
export function publicNames(path: string): readonly PublicName[] {
  const names: PublicName[] = []
  for (const statement of parseAst(readFileSync(path, 'utf8'), { lang: 'ts' }).body) {
    if (statement.type === 'ExportAllDeclaration') {
      names.push(...publicNames(posix.join(posix.dirname(path), statement.source.value)))
    } else if (statement.type === 'ExportNamedDeclaration') {
      const { specifiers, declaration, exportKind = 'value' } = statement
      for (const { exported, exportKind: specifierKind } of specifiers) {
        const name = exported.type === 'Literal' ? exported.value : exported.name
        names.push({ name, kind: exportKind === 'type' || specifierKind === 'type' ? 'type' : 'value' })
      }
      if (declaration?.type === 'VariableDeclaration') {
        for (const { id } of declaration.declarations) {
          if (id.type === 'Identifier') names.push({ name: id.name, kind: 'value' })
        }
      } else if (declaration?.id && 'name' in declaration.id) {
        names.push({ name: declaration.id.name, kind: exportKind })
      }
    }
  }
  return names.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
