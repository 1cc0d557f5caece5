import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { entries, publicNames } from './entries.ts'
import { maxWidth } from './printJsx.ts'
import { type Declaration, readModule, type SourceModule } from './sourceModule.ts'

const root = posix.join(import.meta.dirname.replaceAll('\\', '/'), '..')

/** The entry of each source file that is one. */
const entryOf = new Map(Object.entries(entries).map(([entry, path]) => [posix.join(root, path), entry]))
const entryNames = new Map(
  Object.keys(entries).map((entry) => [
    entry,
    new Set(publicNames(posix.join(root, entries[entry] ?? '')).map(({ name }) => name)),
  ]),
)

/** Code that compiles in an app: imports of packages, then declarations from any number of files. */
export interface Snippet {
  /** Adds what these names of a module refer to, unless they are global. */
  readonly add: (module: SourceModule, names: Iterable<string>) => void
  /** Adds an import. */
  readonly addImport: (entry: string, name: string) => void
  /** Whether the snippet imports one of these names from `petstore-react`. */
  readonly uses: (...names: readonly string[]) => boolean
  /** The import statements, one a line. */
  readonly imports: () => string
  readonly declarations: () => readonly string[]
  /** The files that it comes from. */
  readonly files: () => readonly string[]
}

export function createSnippet(): Snippet {
  const imports = new Map<string, Map<string, boolean>>()
  const modules = new Map<string, SourceModule>()
  const added = new Map<string, Set<Declaration>>()
  const owners = new Map<string, string>()

  const addPackageName = (source: string, text: string, isType: boolean) => {
    const names = imports.get(source) ?? new Map<string, boolean>()
    names.set(text, isType && (names.get(text) ?? true))
    imports.set(source, names)
  }

  function addImported(module: SourceModule, local: string): void {
    const { source, imported, isType } = module.imports.get(local) ?? {}
    if (source === undefined || imported === undefined) return
    const path = posix.join(posix.dirname(module.path), source)
    const entry = source.startsWith('.') ? entryFor(path, imported) : source
    if (entry?.includes('storybook')) throw new Error(`No app imports ${imported} of ${entry}, as ${module.path} does.`)
    if (entry !== undefined) {
      addPackageName(entry, imported === local ? local : `${imported} as ${local}`, isType === true)
    } else {
      if (imported !== local) throw new Error(`${module.path} renames ${imported} of ${source}.`)
      const other = modules.get(path) ?? readModule(path)
      modules.set(path, other)
      add(other, [imported])
    }
  }

  function add(module: SourceModule, names: Iterable<string>): void {
    for (const name of names) {
      addImported(module, name)
      const declaration = module.declarations.get(name)
      const known = added.get(module.path) ?? new Set()
      if (!declaration || known.has(declaration)) continue
      const owner = owners.get(name) ?? module.path
      if (owner !== module.path) throw new Error(`Both ${owner} and ${module.path} declare ${name}.`)
      owners.set(name, owner)
      added.set(module.path, known.add(declaration))
      add(module, declaration.names)
      // Behind the modules that it imports.
      added.delete(module.path)
      added.set(module.path, known)
    }
  }

  return {
    add,
    addImport: (entry, name) => addPackageName(entry, name, false),
    uses: (...names) => names.some((name) => imports.get('petstore-react')?.has(name)),
    imports: () => printImports(imports),
    declarations: () =>
      [...added.values()].flatMap((declarations) =>
        [...declarations].toSorted((one, other) => one.start - other.start).map(({ text }) => text),
      ),
    files: () => [...added.keys()],
  }
}

/** The entry that exports a name of a source file. `undefined` if the file is not part of the package. */
function entryFor(path: string, name: string): string | undefined {
  const own = entryOf.get(path)
  if (own !== undefined) return own
  if (!path.startsWith(`${root}/src/`)) return undefined
  const entry = [...entryNames].find(([, names]) => names.has(name))?.[0]
  if (entry === undefined) throw new Error(`No entry exports ${name} of ${path}.`)
  return entry
}

const isComponent = (name: string) => existsSync(join(root, 'src/components', name, `${name}.css`))

function printImports(imports: ReadonlyMap<string, ReadonlyMap<string, boolean>>): string {
  const statements = [...imports].toSorted(compareSources).map(([source, names]) => {
    const sorted = [...names].toSorted(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
    const isTypeImport = sorted.every(([, isType]) => isType)
    const list = sorted.map(([text, isType]) => (isType && !isTypeImport ? `type ${text}` : text))
    const [first = ''] = list
    if (first.startsWith('* as ')) return `import ${first} from '${source}'`
    const line = `import ${isTypeImport ? 'type ' : ''}{ ${list.join(', ')} } from '${source}'`
    return line.length <= maxWidth ? line : line.replace('{ ', '{\n  ').replaceAll(', ', ',\n  ').replace(' }', ',\n}')
  })
  const hasStyles = [...(imports.get('petstore-react')?.keys() ?? [])].some(isComponent)
  return [...statements, ...(hasStyles ? [`import 'petstore-react/styles.css'`] : [])].join('\n')
}

/** React first, as in the README. */
function compareSources([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  if (one === 'react' || other === 'react') return one === 'react' ? -1 : 1
  return one < other ? -1 : 1
}
