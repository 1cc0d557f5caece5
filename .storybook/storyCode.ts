import type { ESTree } from 'vite'
import { indentationAt, openingTag, reindent } from './printJsx.ts'
import { createSnippet, type Snippet } from './Snippet.ts'
import { readModule, referencedNames, type SourceModule } from './sourceModule.ts'

/** The code of a story, as an app would write it. */
export interface StoryCode {
  /** The name of its export. */
  readonly story: string
  readonly code: string
  /** The import statements of the code. */
  readonly imports: string
  /** The files that the code comes from, besides that of the story. */
  readonly files: readonly string[]
}

/** A story that no app can have as it is. */
export interface StoryWithoutCode {
  readonly story: string
  readonly reason: string
}

type Values = ReadonlyMap<string, ESTree.Expression>

/**
 * The code of each story in a file: the component with its args, or what `render` returns, in a provider, with all that
 * the file and its neighbors declare for it, and with the imports of an app. A story has no code if an app cannot import
 * what it uses.
 */
export function readStoryCode(path: string): readonly (StoryCode | StoryWithoutCode)[] {
  const module = readModule(path)
  const meta = fieldsOf(module, argumentOf(module.constants.get('meta'), 'preview.meta'))
  return [...module.constants].flatMap(([story, value]): readonly (StoryCode | StoryWithoutCode)[] => {
    const input = argumentOf(value, 'meta.story')
    if (!input) return []
    try {
      return [storyCode(module, meta, story, fieldsOf(module, input))]
    } catch (error) {
      return [{ story, reason: error instanceof Error ? error.message : String(error) }]
    }
  })
}

export const hasCode = (story: StoryCode | StoryWithoutCode): story is StoryCode => 'code' in story

function storyCode(module: SourceModule, meta: Values, story: string, fields: Values): StoryCode {
  const snippet = createSnippet()
  const args = new Map([...fieldsOf(module, meta.get('args')), ...fieldsOf(module, fields.get('args'))])
  const render = fields.get('render') ?? meta.get('render')
  const content = render
    ? renderedCode(module, render, args, snippet)
    : componentCode(module, meta.get('component'), args, snippet)
  snippet.addImport('petstore-react', 'PetstoreProvider')
  const app = appCode(content, snippet, localeOf(module, fields))
  const code = [snippet.imports(), ...snippet.declarations(), app].join('\n\n')
  return { story, code, imports: snippet.imports(), files: snippet.files() }
}

/** The indentation of what the provider contains. */
const contentIndent = ' '.repeat(6)

function appCode(content: string, snippet: Snippet, locale: string | undefined): string {
  if (locale !== undefined) snippet.addImport(`petstore-react/locales/${locale}`, locale)
  const attributes = [
    'baseUrl="https://your-petstore-host/v1"',
    ...(snippet.uses('MessageComposer', 'useSendMessage') ? ['quickstartBaseUrl="https://your-petstore-host"'] : []),
    'apiKey={apiKey}',
    ...(locale === undefined ? [] : [`labels={${locale}}`]),
  ]
  const provider = openingTag('PetstoreProvider', attributes, '>', ' '.repeat(4))
  return `export function App({ apiKey }: { apiKey: string }) {
  return (
    ${provider}
      ${content}
    </PetstoreProvider>
  )
}
`
}

/** A language that the story itself chooses. */
function localeOf(module: SourceModule, story: Values): string | undefined {
  const locale = fieldsOf(module, story.get('globals')).get('locale')
  return locale?.type === 'Literal' && typeof locale.value === 'string' ? locale.value : undefined
}

function componentCode(
  module: SourceModule,
  component: ESTree.Expression | undefined,
  args: Values,
  snippet: Snippet,
): string {
  if (component?.type !== 'Identifier') throw new Error('Its meta names no component.')
  snippet.add(module, [component.name])
  const attributes = [...args].map(([name, value]) => attributeOf(module, name, value, snippet))
  return openingTag(component.name, attributes, ' />', contentIndent)
}

/** The JSX that a `render` function returns, with the args of the story in the place of its parameter. */
function renderedCode(module: SourceModule, render: ESTree.Expression, args: Values, snippet: Snippet): string {
  if (render.type !== 'ArrowFunctionExpression') throw new Error('Its `render` is no arrow function.')
  const jsx = withoutParentheses(render.body)
  if (jsx.type !== 'JSXElement' && jsx.type !== 'JSXFragment') throw new Error('Its `render` has a body.')
  const parameters = parametersOf(render, args)
  const { source } = module
  // The provider takes several children.
  const [first] = jsx.type === 'JSXFragment' ? jsx.children.filter(({ type }) => type !== 'JSXText') : [jsx]
  const start = first?.start ?? jsx.start
  const end = jsx.type === 'JSXFragment' ? jsx.closingFragment.start : jsx.end
  const from = indentationAt(source, start)

  let code = ''
  let position = start
  for (const tag of openingTags(jsx)) {
    const column = contentIndent + indentationAt(source, tag.start).slice(from.length)
    code += source.slice(position, tag.start)
    code += reindent(withArgs(module, tag, parameters, snippet, column), contentIndent, from)
    position = tag.end
  }
  code += source.slice(position, end)
  const taken = new Set(parameters.keys())
  snippet.add(
    module,
    [...referencedNames(jsx)].filter((name) => !taken.has(name) && name !== argsName),
  )
  return reindent(code.trimEnd(), from, contentIndent)
}

/** What stories call the parameter of `render`, or what is left of it. */
const argsName = 'args'

/** The value of each parameter of a `render` function. `args` stands for all args that have no parameter of their own. */
function parametersOf(render: ESTree.ArrowFunctionExpression, args: Values): ReadonlyMap<string, Values> {
  const [parameter] = render.params
  if (parameter?.type !== 'ObjectPattern') return new Map([[argsName, args]])
  const rest = new Map(args)
  const parameters = new Map<string, Values>()
  for (const property of parameter.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
    const { name } = property.key
    const value = args.get(name)
    parameters.set(name, new Map(value ? [[name, value]] : []))
    rest.delete(name)
  }
  return parameters.set(argsName, rest)
}

/** An opening tag with the args in the place of `{...args}` and of `name={name}`. */
function withArgs(
  module: SourceModule,
  tag: ESTree.JSXOpeningElement,
  parameters: ReadonlyMap<string, Values>,
  snippet: Snippet,
  indent: string,
): string {
  const textOf = ({ start, end }: ESTree.Span) => module.source.slice(start, end)
  const own = new Set(
    tag.attributes.map((attribute) => (attribute.type === 'JSXAttribute' ? textOf(attribute.name) : '')),
  )
  let isChanged = false
  const attributes = tag.attributes.flatMap((attribute) => {
    const value = attribute.type === 'JSXAttribute' ? attribute.value : undefined
    const expression =
      attribute.type === 'JSXSpreadAttribute'
        ? attribute.argument
        : value?.type === 'JSXExpressionContainer'
          ? value.expression
          : undefined
    const values = expression?.type === 'Identifier' ? parameters.get(expression.name) : undefined
    if (!values) return [textOf(attribute)]
    isChanged = true
    return [...values]
      .filter(([name]) => attribute.type === 'JSXAttribute' || !own.has(name))
      .map(([name, arg]) => attributeOf(module, name, arg, snippet))
  })
  if (!isChanged) return textOf(tag)
  return openingTag(textOf(tag.name), attributes, tag.selfClosing ? ' />' : '>', indent)
}

/** An arg as an attribute. Its lines after the first are indented from the beginning of the line. */
function attributeOf(module: SourceModule, name: string, arg: ESTree.Expression, snippet: Snippet): string {
  const value = withoutParentheses(arg)
  // Tests need a spy, an app would do something with the values.
  if (value.type === 'CallExpression' && value.callee.type === 'Identifier' && value.callee.name === 'fn') {
    return `${name}={console.log}`
  }
  snippet.add(module, referencedNames(value))
  const text = reindent(module.source.slice(value.start, value.end), indentationAt(module.source, value.start), '')
  if (value.type === 'Literal') {
    if (value.value === true) return name
    if (typeof value.value === 'string' && !/["\\\n]/.test(value.value)) return `${name}="${value.value}"`
  }
  if (value.type.startsWith('JSX') && text.includes('\n')) return `${name}={\n  ${reindent(text, '', '  ')}\n}`
  // The last line of a function is indented if an expression is its body.
  return /\n +[^\n]*$/.test(text) ? `${name}={${text}\n}` : `${name}={${text}}`
}

function openingTags(node: ESTree.JSXElement | ESTree.JSXFragment): readonly ESTree.JSXOpeningElement[] {
  const children = node.children.flatMap((child) =>
    child.type === 'JSXElement' || child.type === 'JSXFragment' ? openingTags(child) : [],
  )
  return node.type === 'JSXElement' ? [node.openingElement, ...children] : children
}

/** The fields of an object. It may spread, or be, a field of another story: `Actions.input.args`. */
function fieldsOf(module: SourceModule, value: ESTree.Expression | undefined): Values {
  if (!value) return new Map()
  const node = withoutParentheses(value)
  if (node.type === 'MemberExpression') {
    const [, story = '', field = ''] = /^(\w+)\.input\.(\w+)$/.exec(module.source.slice(node.start, node.end)) ?? []
    const input = argumentOf(module.constants.get(story), 'meta.story')
    return fieldsOf(module, input && fieldsOf(module, input).get(field))
  }
  if (node.type !== 'ObjectExpression') throw new Error('Its args or globals are no object literal.')
  return new Map(
    node.properties.flatMap((property): (readonly [string, ESTree.Expression])[] => {
      if (property.type === 'SpreadElement') return [...fieldsOf(module, property.argument)]
      const { key } = property
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
      return [[name, property.value]]
    }),
  )
}

/** The argument of a call: of `meta.story({ … })`, for example. */
function argumentOf(value: ESTree.Expression | undefined, callee: string): ESTree.Expression | undefined {
  if (value?.type !== 'CallExpression' || value.callee.type !== 'MemberExpression') return undefined
  const { object, property } = value.callee
  const name = [object, property].map((part) => (part.type === 'Identifier' ? part.name : '')).join('.')
  const [argument] = value.arguments
  return name === callee && argument && argument.type !== 'SpreadElement' ? argument : undefined
}

function withoutParentheses(node: ESTree.Node): ESTree.Node {
  return node.type === 'ParenthesizedExpression' ? node.expression : node
}
