import { readFileSync } from 'node:fs'
import { type ESTree, parseSync } from 'vite'

/** A name that a module imports. */
export interface ImportedName {
  readonly source: string
  readonly imported: string
  readonly isType: boolean
}

/** A statement that declares a name. */
export interface Declaration {
  /** Where the statement begins in the file. */
  readonly start: number
  /** The statement, with the comment above it. */
  readonly text: string
  /** The names that it refers to. */
  readonly names: ReadonlySet<string>
}

/** What snippets take from a module. */
export interface SourceModule {
  readonly path: string
  readonly source: string
  readonly imports: ReadonlyMap<string, ImportedName>
  readonly declarations: ReadonlyMap<string, Declaration>
  /** The constants, with their values. */
  readonly constants: ReadonlyMap<string, ESTree.Expression>
}

/** Reads the imports and declarations of a module. */
export function readModule(path: string): SourceModule {
  const source = readFileSync(path, 'utf8')
  const { program, comments } = parseSync(path, source)
  const imports = new Map<string, ImportedName>()
  const declarations = new Map<string, Declaration>()
  const constants = new Map<string, ESTree.Expression>()
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) {
        const isNamespace = specifier.type === 'ImportNamespaceSpecifier'
        const name = specifier.type === 'ImportSpecifier' ? textOf(specifier.imported) : specifier.local.name
        const imported = isNamespace ? '*' : name
        const isType =
          statement.importKind === 'type' || (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type')
        imports.set(specifier.local.name, { source: statement.source.value, imported, isType })
      }
      continue
    }
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    const comment = comments.findLast(({ end }) => end <= statement.start)
    const isOwn = comment && source.slice(comment.end, statement.start).trim() === ''
    const declaration: Declaration = {
      start: statement.start,
      text: source.slice(isOwn ? comment.start : statement.start, statement.end),
      names: outerNames(declared),
    }
    for (const [name, value] of declaredNames(declared)) {
      declarations.set(name, declaration)
      if (value) constants.set(name, value)
    }
  }
  return { path, source, imports, declarations, constants }
}

const textOf = (node: ESTree.ModuleExportName) => (node.type === 'Literal' ? node.value : node.name)

/** The names that a statement declares, and their values. */
function declaredNames(node: ESTree.Node | null): readonly (readonly [name: string, value?: ESTree.Expression])[] {
  if (node?.type === 'VariableDeclaration') {
    return node.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' ? [init ? ([id.name, init] as const) : ([id.name] as const)] : [],
    )
  }
  if (!node || !('id' in node) || !node.id || node.id.type !== 'Identifier') return []
  return [[node.id.name]]
}

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** All names in a part of a module that may refer to a declaration outside of it. */
export function referencedNames(value: unknown, names: Set<string> = new Set()): ReadonlySet<string> {
  if (Array.isArray(value)) {
    for (const part of value) referencedNames(part, names)
  } else if (isNode(value)) {
    if (value.type === 'Identifier' || value.type === 'JSXIdentifier') names.add(value.name)
    for (const [key, part] of Object.entries(value)) if (!isName(value, key)) referencedNames(part, names)
  }
  return names
}

/** The names that a declaration refers to, without those of its own variables and parameters. */
function outerNames(declared: ESTree.Node | null): ReadonlySet<string> {
  const names = new Set(referencedNames(declared))
  for (const name of innerNames(declared)) names.delete(name)
  return names
}

function innerNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(innerNames)
  if (!isNode(value)) return []
  const inner = Object.values(value).flatMap(innerNames)
  if (value.type === 'VariableDeclarator') inner.push(...patternNames(value.id))
  if ('params' in value) inner.push(...patternNames(value.params))
  return inner
}

/** The names that parameters bind, without those in their types and default values. */
function patternNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(patternNames)
  if (!isNode(value)) return []
  if (value.type === 'Identifier') return [value.name]
  if (value.type === 'ObjectPattern') return patternNames(value.properties)
  if (value.type === 'Property') return patternNames(value.value)
  if (value.type === 'ArrayPattern') return patternNames(value.elements)
  if (value.type === 'RestElement') return patternNames(value.argument)
  return value.type === 'AssignmentPattern' ? patternNames(value.left) : []
}

/** Whether a part of a node only names a member, and refers to nothing. */
function isName(node: ESTree.Node, key: string): boolean {
  if (key === 'property') return node.type === 'JSXMemberExpression' || ('computed' in node && !node.computed)
  if (key === 'name') return node.type === 'JSXAttribute'
  return key === 'key' && !('computed' in node && node.computed)
}
