import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAst, Visitor } from 'vite'

/** A layer imports only from itself and from the layers before it. */
const order = ['base', 'contract', 'rate-limit', 'client', 'labels', 'hooks', 'components']

const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(order.map((layer, index) => [layer, order.slice(0, index + 1)])),
  // No layer imports the server.
  server: ['server', 'client', 'rate-limit', 'contract', 'base'],
  // The developer tools show any app, also one without our components. No layer imports them.
  devtools: ['devtools', 'hooks', 'labels', 'client', 'rate-limit', 'contract', 'base'],
  // The service does not import the client, because the two check each other.
  testing: ['testing', 'contract', 'base'],
  // Renders an app on the service, so it needs the hooks and the service.
  'testing/react': ['testing/react', 'testing', 'hooks', 'labels', 'client', 'rate-limit', 'contract', 'base'],
}

const mayUseReact = new Set(['hooks', 'components', 'devtools', 'testing/react'])
const reactPackages = new Set(['react', 'react-dom', 'swr'])

/** Entries in the folder of a layer: they may re-export, and need no export of their name. The other rules apply. */
const innerEntries = new Set(['devtools/production.ts', 'server/redis.ts', 'testing/node.ts', 'testing/react.ts'])

/** The only modules that may import modules of Node. */
const onNode = /^testing\/(?:listen|cli|node)[A-Za-z]*\.ts$/

/** Files that need no export of their name: a script without exports. */
const unnamed = new Set(['testing/cli.ts'])

interface SourceModule {
  /** Below `src/`. */
  readonly path: string
  /** The specifier of each import, type import and re-export; `undefined` if it is computed. */
  readonly imports: readonly (string | undefined)[]
  /** The imports that remain at run time. */
  readonly runtimeImports: readonly string[]
  readonly exports: readonly string[]
  readonly reexports: boolean
  readonly directive: string | undefined
  /** Whether it has to be a client component or module: it imports React, calls hooks, creates contexts, handles events. */
  readonly usesReact: boolean
}

const read = (path: string, source: string): SourceModule => {
  const program = parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path)
  const imports: (string | undefined)[] = []
  const runtimeImports: string[] = []
  const exported: string[] = []
  let reexports = false
  let usesReact = false
  const addExpression = (expression: { readonly type: string; readonly value?: unknown }) => {
    const { type, value } = expression
    imports.push(type === 'Literal' && typeof value === 'string' ? value : undefined)
  }
  const addSource = ({ value }: { readonly value: string }, kind: 'value' | 'type') => {
    imports.push(value)
    if (kind === 'value') runtimeImports.push(value)
  }
  new Visitor({
    ImportDeclaration: ({ source: from, importKind = 'value' }) => addSource(from, importKind),
    ImportExpression: ({ source: expression }) => {
      addExpression(expression)
      if (expression.type === 'Literal' && typeof expression.value === 'string') runtimeImports.push(expression.value)
    },
    TSImportType: ({ source: expression }) => addExpression(expression),
    ExportAllDeclaration: ({ source: from, exportKind = 'value' }) => {
      addSource(from, exportKind)
      reexports = true
    },
    ExportDefaultDeclaration: () => void exported.push('default'),
    ExportNamedDeclaration: ({ source: from, specifiers, declaration, exportKind = 'value' }) => {
      if (from) {
        addSource(from, exportKind)
        reexports = true
      }
      for (const { exported: name } of specifiers) exported.push(name.type === 'Literal' ? name.value : name.name)
      if (declaration?.type === 'VariableDeclaration') {
        for (const { id } of declaration.declarations) if (id.type === 'Identifier') exported.push(id.name)
      } else if (declaration?.id && 'name' in declaration.id) exported.push(declaration.id.name)
    },
    CallExpression: ({ callee, arguments: [first] }) => {
      const name = callee.type === 'Identifier' ? callee.name : ''
      if (/^use[A-Z]|^createContext$/.test(name)) usesReact = true
      if (name === 'require' && first) addExpression(first)
    },
    JSXAttribute: ({ name }) => {
      if (name.type === 'JSXIdentifier' && /^on[A-Z]/.test(name.name)) usesReact = true
    },
  }).visit(program)
  const [first] = program.body
  const directive = first && 'directive' in first && typeof first.directive === 'string' ? first.directive : undefined
  usesReact ||= runtimeImports.some((specifier) => reactPackages.has(packageOf(specifier)))
  return { path, imports, runtimeImports, exports: exported, reexports, directive, usesReact }
}

/** The path below `src/` that a relative import names. */
const target = (from: string, specifier: string) => posix.join(posix.dirname(from), specifier)
const layerOf = (path: string) => {
  if (/^testing\/react[./]/.test(path)) return 'testing/react'
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : 'entries'
}
/** `swr` of `swr/mutation`, `@scope/name` of `@scope/name/sub`. */
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier

/** Every rule that a file breaks. */
function violations(path: string, source: string): readonly string[] {
  const file = read(path, source)
  const layer = layerOf(path)
  const isEntry = layer === 'entries'
  const allowed = mayImport[layer]
  const found: string[] = []
  if (!isEntry && !allowed) found.push(`"${layer}" is not a known layer`)

  for (const specifier of file.imports) {
    if (specifier === undefined) found.push('imports a computed path')
    else if (specifier.startsWith('.')) {
      const to = target(path, specifier)
      if (to.startsWith('..')) found.push(`leaves src: ${specifier}`)
      else if (!/\.(?:tsx?|css)$/.test(to)) found.push(`imports without an extension: ${specifier}`)
      else if (allowed && !allowed.includes(layerOf(to))) found.push(`${layer} imports ${layerOf(to)}: ${specifier}`)
    } else if (isBuiltin(specifier)) {
      if (!onNode.test(path)) found.push(`imports Node: ${specifier}`)
    } else if (!isEntry && !mayUseReact.has(layer) && reactPackages.has(packageOf(specifier))) {
      found.push(`${layer} imports ${packageOf(specifier)}`)
    }
  }

  if (file.reexports && !isEntry && !innerEntries.has(path)) found.push('is a barrel')

  const name = posix.basename(path).replace(/\.tsx?$/, '')
  // A file may be named after what its exports have in common (`errors`, `gate`): one of their names has to contain it.
  const group = name.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')
  const needsExactName = path.endsWith('.tsx') || /^(?:[A-Z]|use[A-Z]|create[A-Z])/.test(name)
  const isNamed = needsExactName
    ? file.exports.includes(name)
    : file.exports.some((exported) => exported === name || exported.toLowerCase().includes(group))
  if (!isEntry && !innerEntries.has(path) && !unnamed.has(path) && !isNamed) found.push('exports nothing of its name')
  return found
}

const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => [path, readFileSync(`src/${path}`, 'utf8')] as const),
)

/** The entries that lead to client modules, and that server components may import. */
const clientEntries = ['index.ts', 'devtools.ts', 'devtools/production.ts']

/**
 * Files in which `'use client'` is missing or superfluous. On each path of imports from an entry, the first file that
 * uses React has to have it. A file that only files with the directive import must not have it.
 */
function misplacedDirectives(files: ReadonlyMap<string, string>): readonly string[] {
  const modules = new Map([...files].map(([path, source]) => [path, read(path, source)]))
  const seen = new Set<SourceModule>()
  const visit = (file: SourceModule | undefined) => {
    if (!file || seen.has(file)) return
    seen.add(file)
    if (file.directive === 'use client') return
    for (const specifier of file.runtimeImports) {
      if (specifier.startsWith('.')) visit(modules.get(target(file.path, specifier)))
    }
  }
  for (const entry of clientEntries) visit(modules.get(entry))
  return [...modules.values()].flatMap((file) => {
    if (file.directive !== 'use client')
      return seen.has(file) && file.usesReact ? `${file.path} lacks 'use client'` : []
    if (!seen.has(file)) return `${file.path} needs no 'use client': only files with it import it`
    return file.usesReact ? [] : `${file.path} needs no 'use client': it does not use React`
  })
}

/** All packages that a file imports, directly or through other files. */
function packagesBehind(entry: string): ReadonlySet<string> {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = (path: string) => {
    const source = sources.get(path)
    if (seen.has(path) || source === undefined) return
    seen.add(path)
    for (const specifier of read(path, source).imports) {
      if (specifier?.startsWith('.')) visit(target(path, specifier))
      else if (specifier !== undefined) packages.add(isBuiltin(specifier) ? 'node' : packageOf(specifier))
    }
  }
  visit(entry)
  return packages
}

describe('the source files', () => {
  test.each([...sources])('%s keeps the rules of its layer', (path, source) => {
    expect(violations(path, source)).toEqual([])
  })

  test('are in the known layers, and each layer has some', () => {
    const layers = new Set([...sources.keys()].map(layerOf))
    expect([...layers].toSorted()).toEqual(
      [...order, 'devtools', 'entries', 'server', 'testing', 'testing/react'].toSorted(),
    )
  })

  test("have 'use client' where a path of imports first uses React, and nowhere else", () => {
    expect(misplacedDirectives(sources)).toEqual([])
  })

  test.each(['client.ts', 'server.ts', 'testing.ts', 'testing/node.ts'])(
    '%s does not import React, also not through other files',
    (entry) => {
      const packages = packagesBehind(entry)
      expect(packages).toContain('zod') // the search has followed imports
      expect([...packages].filter((name) => reactPackages.has(name))).toEqual([])
    },
  )

  test.each(['index.ts', 'client.ts', 'devtools.ts', 'server.ts', 'server/redis.ts', 'testing.ts', 'testing/react.ts'])(
    '%s imports nothing of Node, so that it runs in browsers',
    (entry) => {
      expect(packagesBehind(entry)).not.toContain('node')
      expect(packagesBehind('testing/node.ts')).toContain('node') // the check can fail
    },
  )
})
