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

/** An exported declaration, as its source describes it. */
export interface ApiEntry {
  readonly kind: 'interface' | 'type' | 'function' | 'class' | 'constant'
  readonly name: string
  /** Its file, relative to the folder that `readApi` has read. */
  readonly path: string
  readonly description: string
  /** The text of each `@throws`. */
  readonly throws: readonly string[]
  /** The code of each `@example`, without its fence. */
  readonly examples: readonly string[]
  readonly deprecated: string | undefined
  /** The interfaces and constants whose fields it has too. */
  readonly extended: readonly string[]
  readonly members: readonly ApiMember[]
  /** Of a function, one signature for each overload; of a class, that of its constructor; of a type, its definition. */
  readonly signatures: readonly string[]
}

export type Api = Readonly<Record<string, ApiEntry>>

/** Reads every exported declaration below a folder, for the API reference and the tests of TSDoc. */
export function readApi(folder: string): Api {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
  const entries: Record<string, ApiEntry> = {}
  for (const path of files) {
    for (const entry of readModule(path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8'))) {
      const known = entries[entry.name]
      // A name that is known already is another overload of a function.
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

  /** The fields of a constant object that have a doc comment, and the constants that it spreads. */
  const fieldsOf = (init: ESTree.Expression | null): Partial<ApiEntry> => {
    const object = init?.type === 'TSAsExpression' ? init.expression : init
    if (object?.type !== 'ObjectExpression') return {}
    return {
      extended: object.properties.flatMap((field) => (field.type === 'SpreadElement' ? [textOf(field.argument)] : [])),
      members: object.properties.flatMap((field) => {
        if (field.type === 'SpreadElement' || field.key.type !== 'Identifier') return []
        const { description } = docOf(field)
        return description ? [{ name: field.key.name, type: '', isOptional: false, description }] : []
      }),
    }
  }

  const entries: ApiEntry[] = []
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue
    const { declaration } = statement
    const base = { ...docOf(statement), path, extended: [], members: [], signatures: [] }
    if (declaration.type === 'TSInterfaceDeclaration') {
      entries.push({
        ...base,
        kind: 'interface',
        name: declaration.id.name,
        extended: declaration.extends.map(textOf),
        members: members(declaration.body.body),
      })
    } else if (declaration.type === 'TSTypeAliasDeclaration') {
      const text = tidy(textOf(declaration.typeAnnotation))
      // A mapped type has the fields of the constant that it maps.
      const extended = [...text.matchAll(/\bin keyof typeof (\w+)\]/g)].flatMap(([, name]) => name ?? [])
      entries.push({ ...base, kind: 'type', name: declaration.id.name, signatures: [text], extended })
    } else if (declaration.type === 'FunctionDeclaration' || declaration.type === 'TSDeclareFunction') {
      const name = declaration.id?.name ?? ''
      // The implementation of an overloaded function is not one of its public signatures.
      const isOverloaded = declaration.type === 'FunctionDeclaration' && entries.some((entry) => entry.name === name)
      const head = source.slice(declaration.start, declaration.body?.start ?? declaration.end)
      entries.push({ ...base, kind: 'function', name, signatures: isOverloaded ? [] : [tidy(head)] })
    } else if (declaration.type === 'ClassDeclaration') {
      const name = declaration.id?.name ?? ''
      const signatures = declaration.body.body.flatMap((member) =>
        member.type === 'MethodDefinition' && member.kind === 'constructor'
          ? [`new ${name}(${member.value.params.map((param) => tidy(textOf(param))).join(', ')})`]
          : [],
      )
      entries.push({ ...base, kind: 'class', name, signatures })
    } else if (declaration.type === 'VariableDeclaration') {
      for (const { id, init } of declaration.declarations) {
        if (id.type === 'Identifier') entries.push({ ...base, ...fieldsOf(init), kind: 'constant', name: id.name })
      }
    }
  }
  return entries
}

function readDoc(comment: string): Pick<ApiEntry, 'description' | 'throws' | 'examples' | 'deprecated'> {
  const text = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join('\n')
    .trim()
  const [description = '', ...tags] = text.split(/\n?(?=^@)/m)
  const tagged = (name: string) =>
    tags.filter((tag) => tag.startsWith(`@${name}`)).map((tag) => tag.slice(name.length + 1))
  return {
    description: tidy(description),
    // Each place that shows it adds a full stop.
    throws: tagged('throws').map((failure) => tidy(failure).replace(/\.$/, '')),
    examples: tagged('example').map((code) =>
      code
        .replace(/^\s*```\w*\n/, '')
        .replace(/\n```\s*$/, '')
        .trim(),
    ),
    deprecated: tagged('deprecated').map(tidy)[0],
  }
}

/** Leaves out the `undefined` of optional fields: `(() => void) | undefined` becomes `() => void`. */
function typeOf(text: string, isOptional: boolean): string {
  return isOptional ? text.replace(/ \| undefined$/, '').replace(/^\((\(.*)\)$/, '$1') : text
}

/** One line, without the modifiers that only matter to the compiler. */
function tidy(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\breadonly (?=[a-z]+\??:)/g, '')
    .replaceAll(/^(?:export )?function /g, '')
    .trim()
}
