import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { build } from 'esbuild'
import { parseAst, Visitor } from 'vite'

// How many rooms the house has: `npm run house`, or `npm run house -- 801255e` to compare with a revision.

interface SourceFile {
  readonly lines: number
  /** The files below `src` that it imports: also for types, and on demand. */
  readonly imports: readonly string[]
  /** The interfaces and types that it exports, by its own declaration. */
  readonly types: readonly string[]
  /** What it exports again, of which file. `*` stands for everything. */
  readonly reexports: readonly (readonly [from: string, name: string])[]
}

type House = ReadonlyMap<string, SourceFile>

const measures = ['files', 'lines', 'one importer', 'internal types', 'floors', 'arrows'] as const
type Measured = Readonly<Record<(typeof measures)[number], number>>

const layerOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : 'entries')

/** An entry is what `package.json` names: it stands in `src`, or is one of these. */
const isEntry = (path: string) =>
  !path.includes('/') ||
  /^(?:devtools\/production|labels\/..|server\/redis|testing\/(?:cli|node|react))\.ts$/.test(path)

function readFile(path: string, source: string, files: ReadonlySet<string>): SourceFile {
  const imports = new Set<string>()
  const types: string[] = []
  const reexports: (readonly [string, string])[] = []
  const add = (specifier: unknown): string => {
    const to =
      typeof specifier === 'string' && specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : ''
    if (files.has(to)) imports.add(to)
    return to
  }
  const program = parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path)
  new Visitor({
    ImportDeclaration: ({ source: from }) => void add(from.value),
    ImportExpression: ({ source: from }) => void (from.type === 'Literal' && add(from.value)),
    TSImportType: ({ source: from }) => void add(from.value),
    ExportAllDeclaration: ({ source: from }) => void reexports.push([add(from.value), '*']),
    ExportNamedDeclaration: ({ source: from, specifiers, declaration }) => {
      for (const { local } of from ? specifiers : []) {
        reexports.push([add(from?.value), 'name' in local ? local.name : local.value])
      }
      const isType = declaration?.type === 'TSInterfaceDeclaration' || declaration?.type === 'TSTypeAliasDeclaration'
      if (isType) types.push(declaration.id.name)
    },
  }).visit(program)
  return { lines: source.split('\n').length - 1, imports: [...imports], types, reexports }
}

function readHouse(folder: string): House {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
  const files = new Set(paths)
  return new Map(paths.map((path) => [path, readFile(path, readFileSync(join(folder, path), 'utf8'), files)]))
}

/** The types that apps can import, as `path name`. */
function publicTypes(house: House): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (path: string, wanted: string) => {
    const file = house.get(path)
    for (const name of file?.types ?? []) if (wanted === '*' || wanted === name) found.add(`${path} ${name}`)
    for (const [from, name] of file?.reexports ?? [])
      if (wanted === '*' || name === '*' || name === wanted) visit(from, name)
  }
  for (const path of house.keys()) if (isEntry(path)) visit(path, '*')
  return found
}

/** How many files the longest chain of imports inside a layer has. */
function countFloors(house: House, layer: string): number {
  const known = new Map<string, number>()
  const floorsBelow = (path: string): number => {
    const cached = known.get(path)
    if (cached !== undefined) return cached
    known.set(path, 0) // a circle ends here
    const inside = house.get(path)?.imports.filter((to) => layerOf(to) === layer) ?? []
    const floors = 1 + Math.max(0, ...inside.map(floorsBelow))
    known.set(path, floors)
    return floors
  }
  return Math.max(0, ...[...house.keys()].filter((path) => layerOf(path) === layer).map(floorsBelow))
}

function measure(house: House, layer: string): Measured {
  const shown = publicTypes(house)
  const inside = [...house].filter(([path]) => layerOf(path) === layer)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  const importersOf = (path: string) => [...house.values()].filter(({ imports }) => imports.includes(path)).length
  return {
    files: inside.length,
    lines: sum(inside.map(([, { lines }]) => lines)),
    'one importer': inside.filter(([path]) => importersOf(path) === 1).length,
    'internal types': sum(
      inside.map(([path, { types }]) => types.filter((name) => !shown.has(`${path} ${name}`)).length),
    ),
    floors: countFloors(house, layer),
    arrows: sum(inside.map(([, { imports }]) => imports.filter((to) => layerOf(to) === layer).length)),
  }
}

/**
 * The files in which a function runs between `client.createCategory(…)` and its result, in a new client without a gate's
 * history, against a service that answers at once.
 */
async function filesOfOneCall(folder: string): Promise<readonly string[]> {
  const call = `
    import { createPetstoreClient, createMemoryStore } from './client.ts'
    const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + 60) }
    const client = createPetstoreClient({
      baseUrl: 'https://petstore.test/v1',
      apiKey: 'demo',
      rateLimitStore: createMemoryStore(),
      fetch: async () => Response.json({ id: 1, name: 'Dog' }, { status: 201, headers }),
    })
    export const callOnce = () => client.createCategory({ name: 'Dog' })
    export const close = () => client.close()`
  const { outputFiles } = await build({
    stdin: { contents: call, resolveDir: folder, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    tsconfigRaw: {},
    write: false,
    absWorkingDir: folder,
  })
  const text = outputFiles[0]?.text ?? ''
  // Beside the bundle of this script, from where packages are found.
  const file = join(import.meta.dirname, `.houseCall-${process.pid}-${Date.now()}.js`)
  writeFileSync(file, text)
  const session = new Session()
  session.connect()
  try {
    const { callOnce, close } = await import(file)
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    await callOnce()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    close()
    const script = result.find(({ url }) => url.endsWith(file))
    const ran = script?.functions.filter(({ ranges: [range] }) => range && range.count > 0) ?? []
    // esbuild writes the name of each file above its code.
    const starts = [...text.matchAll(/^\/\/ (\S+\.tsx?)$/gm)].map((match) => [match.index, match[1] ?? ''] as const)
    const fileAt = (offset: number) => starts.findLast(([start]) => start <= offset)?.[1]
    return [...new Set(ran.flatMap(({ ranges: [range] }) => fileAt(range?.startOffset ?? 0) ?? []))].toSorted()
  } finally {
    session.disconnect()
    rmSync(file)
  }
}

/** Writes `src` of a revision into a folder. */
function checkOut(revision: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'house-'))
  const archive = execFileSync('git', ['archive', revision, 'src'], { maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  return folder
}

async function survey(folder: string) {
  const house = readHouse(folder)
  const layers = [...new Set([...house.keys()].map(layerOf))]
  const rows = new Map(layers.map((layer) => [layer, measure(house, layer)] as const))
  return { rows, call: await filesOfOneCall(folder) }
}

const [revision] = process.argv.slice(2)
const now = await survey(join(process.cwd(), 'src'))
const old = revision === undefined ? undefined : checkOut(revision)
const before = old === undefined ? undefined : await survey(join(old, 'src'))
if (old !== undefined) rmSync(old, { recursive: true })

const order = [
  'base',
  'contract',
  'rate-limit',
  'client',
  'labels',
  'hooks',
  'components',
  'server',
  'devtools',
  'testing',
]
const layers = [...order, 'entries'].filter((layer) => now.rows.has(layer) || before?.rows.has(layer))
const totalOf = (rows: ReadonlyMap<string, Measured>, name: keyof Measured) => {
  const numbers = [...rows.values()].map((row) => row[name])
  return name === 'floors' ? Math.max(...numbers) : numbers.reduce((total, number) => total + number, 0)
}
const cell = (one: number, other: number | undefined) =>
  other === undefined || other === one ? `${one}` : `${other} → ${one}`
const table = [
  ['', ...measures],
  ...layers.map((layer) => [
    layer,
    ...measures.map((name) => cell(now.rows.get(layer)?.[name] ?? 0, before && (before.rows.get(layer)?.[name] ?? 0))),
  ]),
  ['all', ...measures.map((name) => cell(totalOf(now.rows, name), before && totalOf(before.rows, name)))],
]
const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
for (const row of table)
  console.log(
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
console.log(`
One createCategory runs through ${cell(now.call.length, before?.call.length)} files: those in which a function runs between the call and its result.
One importer: files that a single other file imports. Internal types: exported, but by no entry. Floors: the files on the
longest chain of imports inside a layer. Arrows: imports between two files of one layer. Imports of types count.`)
if (process.argv.includes('--files')) console.log(`\n${now.call.join('\n')}`)
