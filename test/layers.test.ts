import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAst, Visitor } from 'vite'

/** A layer imports only from itself and from the layers before it. */
const order = ['base', 'contract', 'rate-limit', 'client', 'labels', 'hooks', 'components']

const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(order.map((layer, index) => [layer, order.slice(0, index + 1)])),
  // Nothing imports it.
  server: ['server', 'client', 'rate-limit', 'contract', 'base'],
  // No components: it shows any app, also one without them. Nothing imports it.
  devtools: ['devtools', 'hooks', 'labels', 'client', 'rate-limit', 'contract', 'base'],
  // Not the client: the service and the client check each other.
  testing: ['testing', 'contract', 'base'],
  // Renders an app on the service, so it needs both.
  'testing/react': ['testing/react', 'testing', 'hooks', 'labels', 'client', 'rate-limit', 'contract', 'base'],
}

const withReact = new Set(['hooks', 'components', 'devtools', 'testing/react'])
const reactPackages = new Set(['react', 'react-dom', 'swr'])

/** Entries inside of a layer: they may re-export, and keep the rules of their layer. */
const innerEntries = new Set(['devtools/production.ts', 'server/redis.ts', 'testing/node.ts', 'testing/react.ts'])

/** The only modules that may import Node. */
const onNode = /^testing\/(?:listen|cli|node)[A-Za-z]*\.ts$/

/** Files that export nothing of their own name: collections, and a script without exports. */
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
    TSExternalModuleReference: ({ expression }) => addExpression(expression),
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
  if (!isEntry && !allowed) found.push(`"${layer}" is no layer`)

  for (const specifier of file.imports) {
    if (specifier === undefined) found.push('imports a computed path')
    else if (specifier.startsWith('.')) {
      const to = target(path, specifier)
      if (to.startsWith('..')) found.push(`leaves src: ${specifier}`)
      else if (!/\.(?:tsx?|css)$/.test(to)) found.push(`imports without an extension: ${specifier}`)
      else if (allowed && !allowed.includes(layerOf(to))) found.push(`${layer} imports ${layerOf(to)}: ${specifier}`)
    } else if (isBuiltin(specifier)) {
      if (!onNode.test(path)) found.push(`imports Node: ${specifier}`)
    } else if (!isEntry && !withReact.has(layer) && reactPackages.has(packageOf(specifier))) {
      found.push(`${layer} imports ${packageOf(specifier)}`)
    }
  }

  if (file.reexports && !isEntry && !innerEntries.has(path)) found.push('is a barrel')

  const name = posix.basename(path).replace(/\.tsx?$/, '')
  // A file may be named after what its exports have in common (`errors`, `gate`): then their names contain it.
  const group = name.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')
  const hasOneExport = path.endsWith('.tsx') || /^(?:[A-Z]|use[A-Z]|create[A-Z])/.test(name)
  const isNamed = hasOneExport
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

/** The entries that server components may import. */
const clientEntries = ['index.ts', 'devtools.ts', 'devtools/production.ts']

/**
 * Files in which `'use client'` is missing or superfluous. On each path of imports from an entry, the first file that
 * uses React has to have it, and no file behind that one.
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

/** Every circle of imports, also of types alone. Each group of files that import each other is listed with one circle. */
function importCircles(files: ReadonlyMap<string, string>): readonly string[] {
  const importsOf = new Map(
    [...files].map(([path, source]) => {
      const targets = read(path, source).imports.map((specifier) =>
        specifier?.startsWith('.') ? target(path, specifier) : '',
      )
      return [path, targets.filter((to) => files.has(to))]
    }),
  )
  const circles: string[] = []
  const reported = new Set<string>()
  for (const start of importsOf.keys()) {
    if (reported.has(start)) continue
    const circle = shortestPath(importsOf, start, start)
    if (!circle) continue
    for (const path of circle) reported.add(path)
    circles.push(circle.join(' → '))
  }
  return circles
}

/** The files on the shortest way along imports, both ends included. */
function shortestPath(
  importsOf: ReadonlyMap<string, readonly string[]>,
  from: string,
  to: string,
): readonly string[] | undefined {
  const seen = new Set<string>()
  const queue: (readonly string[])[] = [[from]]
  for (const path of queue) {
    for (const next of importsOf.get(path.at(-1) ?? '') ?? []) {
      if (next === to) return [...path, next]
      if (seen.has(next)) continue
      seen.add(next)
      queue.push([...path, next])
    }
  }
  return undefined
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

  test('belong to all layers', () => {
    const layers = new Set([...sources.keys()].map(layerOf))
    expect([...layers].toSorted()).toEqual(
      [...order, 'devtools', 'entries', 'server', 'testing', 'testing/react'].toSorted(),
    )
  })

  test('import each other in no circle, also not for types', () => {
    expect(importCircles(sources)).toEqual([])
  })

  test("have 'use client' where a path of imports first uses React, and nowhere else", () => {
    expect(misplacedDirectives(sources)).toEqual([])
  })

  test.each(['client.ts', 'server.ts', 'testing.ts', 'testing/node.ts'])(
    '%s does not import React, also not through other files',
    (entry) => {
      const packages = packagesBehind(entry)
      expect(packages).toContain('zod')
      expect([...packages].filter((name) => reactPackages.has(name))).toEqual([])
    },
  )

  test.each(['index.ts', 'client.ts', 'devtools.ts', 'server.ts', 'server/redis.ts', 'testing.ts', 'testing/react.ts'])(
    '%s runs in browsers and imports nothing of Node',
    (entry) => {
      expect(packagesBehind(entry)).not.toContain('node')
      expect(packagesBehind('testing/node.ts')).toContain('node')
    },
  )
})

describe('a broken rule is found', () => {
  const cases: readonly (readonly [path: string, source: string, found: string])[] = [
    [
      'contract/a.ts',
      "import { b } from '../client/b.ts'\nexport const a = b",
      'contract imports client: ../client/b.ts',
    ],
    [
      'contract/a.ts',
      "import type { B } from '../hooks/B.ts'\nexport type A = B",
      'contract imports hooks: ../hooks/B.ts',
    ],
    [
      'rate-limit/a.ts',
      "import { type B } from '../client/B.ts'\nexport type A = B",
      'rate-limit imports client: ../client/B.ts',
    ],
    ['client/a.ts', "export type A = import('../labels/en.ts').En", 'client imports labels: ../labels/en.ts'],
    ['client/a.ts', "export const a = () => import('../hooks/b.ts')", 'client imports hooks: ../hooks/b.ts'],
    ['client/a.ts', 'export const a = () => import(`../hooks/b.ts`)', 'imports a computed path'],
    ['client/a.ts', "import a = require('../hooks/b.ts')\nexport { a }", 'client imports hooks: ../hooks/b.ts'],
    ['client/a.ts', "export const a = require('../hooks/b.ts')", 'client imports hooks: ../hooks/b.ts'],
    [
      'labels/a.ts',
      "import '../components/b.css'\nexport const a = 1",
      'labels imports components: ../components/b.css',
    ],
    [
      'hooks/useA.ts',
      "import { B } from '../components/B/B.tsx'\nexport const useA = B",
      'hooks imports components: ../components/B/B.tsx',
    ],
    [
      'testing/a.ts',
      "import type { B } from '../client/B.ts'\nexport type A = B",
      'testing imports client: ../client/B.ts',
    ],
    [
      'testing/a.ts',
      "import { b } from './react/b.tsx'\nexport const a = b",
      'testing imports testing/react: ./react/b.tsx',
    ],
    [
      'testing/react/a.ts',
      "import { B } from '../../components/B/B.tsx'\nexport const a = B",
      'testing/react imports components: ../../components/B/B.tsx',
    ],
    [
      'server/a.ts',
      "import { useB } from '../hooks/useB.ts'\nexport const a = useB",
      'server imports hooks: ../hooks/useB.ts',
    ],
    [
      'devtools/A.tsx',
      "import { B } from '../components/B/B.tsx'\nexport const A = B",
      'devtools imports components: ../components/B/B.tsx',
    ],
    [
      'components/A/A.tsx',
      "import { B } from '../../devtools/B.tsx'\nexport const A = B",
      'components imports devtools: ../../devtools/B.tsx',
    ],
    ['client/a.ts', "import { b } from '../server/b.ts'\nexport const a = b", 'client imports server: ../server/b.ts'],
    ['server/a.ts', "import { b } from 'node:http'\nexport const a = b", 'imports Node: node:http'],
    [
      'components/A/A.tsx',
      "import { b } from '../../testing/b.ts'\nexport const A = b",
      'components imports testing: ../../testing/b.ts',
    ],
    ['client/a.ts', "import { b } from '../client.ts'\nexport const a = b", 'client imports entries: ../client.ts'],
    ['client/a.ts', "import { b } from '../../test/b.ts'\nexport const a = b", 'leaves src: ../../test/b.ts'],
    ['client/a.ts', "import { b } from './b'\nexport const a = b", 'imports without an extension: ./b'],
    ['utils/a.ts', 'export const a = 1', '"utils" is no layer'],
    ['client/a.ts', "export const a = 1\nexport * from './b.ts'", 'is a barrel'],
    ['client/a.ts', "export const a = 1\nexport { b } from './b.ts'", 'is a barrel'],
    ['testing/a.ts', "export const a = 1\nexport type { B } from './B.ts'", 'is a barrel'],
    ['client/a.ts', "import { readFile } from 'node:fs'\nexport const a = readFile", 'imports Node: node:fs'],
    ['testing/a.ts', "import { readFile } from 'fs'\nexport const a = readFile", 'imports Node: fs'],
    [
      'testing.ts',
      "import { readFile } from 'node:fs/promises'\nexport const a = readFile",
      'imports Node: node:fs/promises',
    ],
    ['client/a.ts', "import { version } from 'react'\nexport const a = version", 'client imports react'],
    ['labels/a.ts', "import type { ReactNode } from 'react'\nexport type A = ReactNode", 'labels imports react'],
    ['testing/a.ts', "import { b } from 'react-dom/server'\nexport const a = b", 'testing imports react-dom'],
    ['client/a.ts', "import { mutate } from 'swr/mutation'\nexport const a = mutate", 'client imports swr'],
    ['components/A/A.tsx', 'export const B = () => <p />', 'exports nothing of its name'],
    ['hooks/useA.ts', 'export const useAll = 1', 'exports nothing of its name'],
    ['client/gate.ts', 'export const door = 1', 'exports nothing of its name'],
  ]

  test.each(cases)('%s: %s', (path, source, found) => {
    expect(violations(path, source)).toEqual([found])
  })
})

describe('a circle of imports is found', () => {
  const cases: readonly (readonly [found: readonly string[], files: Readonly<Record<string, string>>])[] = [
    [['client/a.ts → client/a.ts'], { 'client/a.ts': "import './a.ts'" }],
    [
      ['client/a.ts → client/b.ts → client/a.ts'],
      { 'client/a.ts': "import { b } from './b.ts'", 'client/b.ts': "export { a } from './a.ts'" },
    ],
    [
      ['client/a.ts → client/b.ts → client/a.ts'],
      { 'client/a.ts': "import type { B } from './b.ts'", 'client/b.ts': "import { type A } from './a.ts'" },
    ],
    [
      ['client/a.ts → client/b.ts → client/a.ts'],
      { 'client/a.ts': "export type A = import('./b.ts').B", 'client/b.ts': "export const b = () => import('./a.ts')" },
    ],
    [
      ['hooks/b.ts → hooks/c.ts → hooks/d.ts → hooks/b.ts'],
      {
        'client/a.ts': "import '../hooks/b.ts'",
        'hooks/b.ts': "import '../client/e.ts'\nimport './c.ts'",
        'hooks/c.ts': "import './d.ts'",
        'hooks/d.ts': "import './b.ts'",
        'client/e.ts': '',
      },
    ],
    [
      ['client/a.ts → client/b.ts → client/a.ts', 'client/c.ts → client/b.ts → client/c.ts'],
      {
        'client/a.ts': "import './b.ts'",
        'client/b.ts': "import './a.ts'\nimport './c.ts'",
        'client/c.ts': "import './b.ts'",
      },
    ],
  ]

  test.each(cases)('%j: %j', (found, files) => {
    expect(importCircles(new Map(Object.entries(files)))).toEqual(found)
  })

  test('several ways to one file are accepted', () => {
    const files = {
      'client/a.ts': "import './b.ts'\nimport './c.ts'\nimport 'zod'",
      'client/b.ts': "import './d.ts'",
      'client/c.ts': "import './d.ts'\nimport './missing.ts'",
      'client/d.ts': "// import './a.ts'",
    }
    expect(importCircles(new Map(Object.entries(files)))).toEqual([])
  })
})

describe("a misplaced 'use client' is found", () => {
  const client = "'use client'\n"
  const toA = "export { a } from './a.ts'"
  const cases: readonly (readonly [found: string, files: Readonly<Record<string, string>>])[] = [
    ["a.ts lacks 'use client'", { 'a.ts': 'export const a = () => useState(1)' }],
    ["a.ts lacks 'use client'", { 'a.ts': 'export const a = createContext(1)' }],
    ["a.ts lacks 'use client'", { 'a.ts': "export { mutate as a } from 'swr'" }],
    ["a.ts lacks 'use client'", { 'a.ts': "import 'react-dom/client'" }],
    ["a.ts lacks 'use client'", { 'a.ts': "export const a = () => import('react')" }],
    // `verbatimModuleSyntax` keeps the import when it removes the types.
    ["a.ts lacks 'use client'", { 'a.ts': "import { type ReactNode } from 'react'" }],
    ["a.ts lacks 'use client'", { 'a.ts': "export const a = () => useState(1)\n'use client'" }],
    [
      "a.tsx lacks 'use client'",
      { 'a.ts': "export * from './a.tsx'", 'a.tsx': 'export const a = <p onClick={() => {}} />' },
    ],
    ["b.ts lacks 'use client'", { 'a.ts': "import './b.ts'", 'b.ts': 'export const b = () => useState(1)' }],
    ["b.ts lacks 'use client'", { 'a.ts': "void import('./b.ts')", 'b.ts': 'export const b = () => useState(1)' }],
    ["a.ts needs no 'use client': it does not use React", { 'a.ts': client }],
    [
      "a.ts needs no 'use client': it does not use React",
      { 'a.ts': `${client}import type { ReactNode } from 'react'` },
    ],
    [
      "b.ts needs no 'use client': only files with it import it",
      { 'a.ts': `${client}import './b.ts'\nimport 'swr'`, 'b.ts': `${client}import 'react'` },
    ],
    [
      "b.ts needs no 'use client': only files with it import it",
      { 'a.ts': "import type {} from './b.ts'", 'b.ts': `${client}import 'swr'` },
    ],
    [
      "b.ts needs no 'use client': only files with it import it",
      { 'a.ts': "export type {} from './b.ts'", 'b.ts': `${client}import 'swr'` },
    ],
  ]

  test.each(cases)('%s: %j', (found, files) => {
    expect(misplacedDirectives(new Map(Object.entries({ 'index.ts': toA, ...files })))).toEqual([found])
  })

  test('a correct one is accepted', () => {
    const files = {
      'index.ts': toA,
      'a.ts': "import type { ReactNode } from 'react'\nexport type * from './types.ts'\nexport * from './useB.ts'",
      'useB.ts': `${client}import './useC.ts'\nimport './styles.css'\nexport const useB = () => useState(1)`,
      'useC.ts': "import { useState } from 'react'\nexport const useC = () => useState(1)",
      'types.ts': "import 'react'",
    }
    expect(misplacedDirectives(new Map(Object.entries(files)))).toEqual([])
  })
})

test.each([
  ['contract/a.ts', "import { b } from './b.ts'\nimport * as z from 'zod/mini'\nexport const a = z.string(b)"],
  ['client/errors.ts', "import type { B } from '../contract/B.ts'\nexport class SomeError extends B {}"],
  ['client/a.ts', "// import '../hooks/useB.ts'\nexport const a = \"import '../hooks/useB.ts'\""],
  ['hooks/useA.ts', "'use client'\nimport { useState } from 'react'\nexport const useA = () => useState(1)"],
  ['components/A/A.tsx', 'export const A = () => <p />'],
  ['testing/listen.ts', "import { createServer } from 'node:http'\nexport const listen = createServer"],
  ['testing/node.ts', "export { listen } from './listen.ts'"],
  ['client/loadCategories.ts', 'export const loadCategories = 1'],
  ['index.ts', "export * from './components/A.tsx'\nexport * from './client/b.ts'"],
])('%s: a file that keeps the rules is accepted', (path, source) => {
  expect(violations(path, source)).toEqual([])
})
