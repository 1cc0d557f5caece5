import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync } from 'vite'

/** One field of an interface, or one parameter. */
export interface ApiMember {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly description: string
}

/** Something that the package exports, as its source describes it. */
export interface ApiEntry {
  readonly kind: 'interface' | 'type' | 'function' | 'class' | 'constant'
  readonly name: string
  readonly description: string
  /** `@throws`, one each. */
  readonly throws: readonly string[]
  readonly deprecated: string | undefined
  /** Types that it takes fields from. */
  readonly extended: readonly string[]
  readonly members: readonly ApiMember[]
  /** How it is called, one line for each way. */
  readonly signatures: readonly string[]
}

export type Api = Readonly<Record<string, ApiEntry>>

/** Reads every exported declaration below a folder: the docs pages show what the source says, and nothing else. */
export function readApi(folder: string): Api {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
  const entries: Record<string, ApiEntry> = {}
  for (const path of files) {
    for (const entry of readModule(path, readFileSync(join(folder, path), 'utf8'))) {
      const known = entries[entry.name]
      // The ways in which an overloaded function is called stand one after the other.
      entries[entry.name] = known ? merge(known, entry) : entry
    }
  }
  return entries
}

const merge = (one: ApiEntry, other: ApiEntry): ApiEntry => ({
  ...one,
  description: one.description || other.description,
  signatures: [...one.signatures, ...other.signatures],
})

function readModule(path: string, source: string): ApiEntry[] {
  const { program, comments } = parseSync(path, source)
  const textOf = ({ start, end }: ESTree.Span) => source.slice(start, end)
  const docOf = ({ start }: ESTree.Span) => {
    const doc = comments.findLast(
      ({ type, value, end }) =>
        type === 'Block' && value.startsWith('*') && end <= start && source.slice(end, start).trim() === '',
    )
    return readDoc(doc?.value ?? '')
  }

  const members = (nodes: readonly ESTree.TSSignature[]): ApiMember[] =>
    nodes.flatMap((node) =>
      node.type === 'TSPropertySignature' && node.key.type === 'Identifier'
        ? [
            {
              name: node.key.name,
              type: typeOf(node.typeAnnotation ? tidy(textOf(node.typeAnnotation.typeAnnotation)) : '', node.optional),
              isOptional: node.optional,
              description: docOf(node).description,
            },
          ]
        : [],
    )

  const entries: ApiEntry[] = []
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue
    const { declaration } = statement
    const base = { ...docOf(statement), extended: [], members: [], signatures: [] }
    if (declaration.type === 'TSInterfaceDeclaration') {
      entries.push({
        ...base,
        kind: 'interface',
        name: declaration.id.name,
        extended: declaration.extends.map(textOf),
        members: members(declaration.body.body),
      })
    } else if (declaration.type === 'TSTypeAliasDeclaration') {
      const signatures = [tidy(textOf(declaration.typeAnnotation))]
      entries.push({ ...base, kind: 'type', name: declaration.id.name, signatures })
    } else if (declaration.type === 'FunctionDeclaration' || declaration.type === 'TSDeclareFunction') {
      const name = declaration.id?.name ?? ''
      // What implements the ways above it is no further one.
      const isOverloaded = declaration.type === 'FunctionDeclaration' && entries.some((entry) => entry.name === name)
      const head = source.slice(declaration.start, declaration.body?.start ?? declaration.end)
      entries.push({ ...base, kind: 'function', name, signatures: isOverloaded ? [] : [tidy(head)] })
    } else if (declaration.type === 'ClassDeclaration') {
      entries.push({ ...base, kind: 'class', name: declaration.id?.name ?? '' })
    } else if (declaration.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) {
        if (id.type === 'Identifier') entries.push({ ...base, kind: 'constant', name: id.name })
      }
    }
  }
  return entries
}

function readDoc(comment: string): Pick<ApiEntry, 'description' | 'throws' | 'deprecated'> {
  const text = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join('\n')
    .trim()
  const [description = '', ...tags] = text.split(/\n?(?=^@)/m)
  const tagged = (name: string) =>
    tags.filter((tag) => tag.startsWith(`@${name}`)).map((tag) => tidy(tag.slice(name.length + 1)))
  return { description: tidy(description), throws: tagged('throws'), deprecated: tagged('deprecated')[0] }
}

/** That an option may also be given as `undefined` goes without saying. */
function typeOf(text: string, isOptional: boolean): string {
  return isOptional ? text.replace(/ \| undefined$/, '').replace(/^\((\(.*)\)$/, '$1') : text
}

/** In one line, without what only matters to the compiler. */
function tidy(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\breadonly (?=[a-z]+\??:)/g, '')
    .replaceAll(/^(?:export )?function /g, '')
    .trim()
}
