import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { buildStyles } from '../buildStyles.ts'
import { publicNames } from '../.storybook/entries.ts'
import { operations } from '../src/contract/operations.ts'

const source = join(import.meta.dirname, '../src')

/** Peer dependencies, which are not part of the package. */
const react = ['react', 'react-dom']
const peers = [...react, 'swr', 'zod']

interface Bundle {
  /** Gzipped bytes of what is loaded at once, without lazy chunks. */
  readonly size: number
  /** Gzipped bytes of all, with lazy chunks. */
  readonly sizeInAll: number
  /** What is loaded at once. */
  readonly code: string
  /** The modules that are loaded at once. */
  readonly modules: readonly string[]
  /** The number of files that are loaded at once. */
  readonly fileCount: number
}

/** Bundles what an app gets that imports these names, minified. */
const bundle = (names: readonly string[], external = peers): Promise<Bundle> =>
  bundleCode(`export { ${names.join()} } from './index.ts'`, external)

async function bundleCode(code: string, external = peers): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: source, loader: 'ts' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    outdir: '/bundle',
    entryNames: 'entry',
    write: false,
    metafile: true,
    external,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const atOnce = loadedAtOnce(metafile)
  const files = outputFiles.filter(({ path }) => atOnce.some((name) => path.endsWith(name)))
  const sizeOf = (counted: typeof files) =>
    counted.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
  return {
    size: sizeOf(files),
    sizeInAll: sizeOf(outputFiles),
    code: files.map(({ text }) => text).join('\n'),
    modules: atOnce.flatMap((name) => moduleNames(metafile, name)),
    fileCount: files.length,
  }
}

/** The entry and the chunks that it imports statically. */
function loadedAtOnce({ outputs }: Metafile): string[] {
  const names = Object.keys(outputs)
  const found = new Set(names.filter((name) => name.endsWith('entry.js')))
  for (const name of found) {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[path]) found.add(path)
    }
  }
  return [...found].map((name) => name.split('/').pop() ?? name)
}

function moduleNames({ outputs }: Metafile, fileName: string): string[] {
  const output = Object.entries(outputs).find(([name]) => name.endsWith(fileName))?.[1]
  return Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([name]) => name)
}

const values = publicNames('src/index.ts').flatMap(({ kind, name }) => (kind === 'value' ? [name] : []))
const hookNames = values.filter((name) => name.startsWith('use'))
const withoutComponents = values.filter((name) => /^use|^createPetstoreClient|^isPetstoreError|^Petstore/.test(name))

/**
 * Budgets in gzipped bytes, a little above the last measurement, so that a change that costs more than it should fails.
 * They are sums: each operation and each hook brings its own allowance, so adding one changes no figure here.
 */
const operation = 110
const hook = 172
const client = 20_060 + operation * Object.keys(operations).length
const firstHook = client + 5_420
/** The texts of waits and errors, which `useErrorText` and the components share. */
const texts = 3_465
const allHooks = firstHook + hook * (hookNames.length - 1) + texts

/** The part of SWR that hooks use. */
const swr = 6_256
/** The chunks that pages load late: messages between tabs, and parts of client and components that few people need. */
const late = 2_485

const budgets: readonly (readonly [what: string, names: readonly string[], budget: number])[] = [
  ['the client alone', ['createPetstoreClient', 'isPetstoreError'], client],
  ['one hook', ['PetstoreProvider', 'useCategories'], firstHook],
  ['all hooks, the client and the gate', withoutComponents, allHooks],
  ['with CategoryList', [...withoutComponents, 'CategoryList'], allHooks + 8_415],
  ['with CategoryForm', [...withoutComponents, 'CategoryForm'], allHooks + 5_695],
  ['with MessageComposer', [...withoutComponents, 'MessageComposer'], allHooks + 7_280],
  ['with RateLimitBadge', [...withoutComponents, 'RateLimitBadge'], allHooks + 2_680],
  ['with ErrorNotice', [...withoutComponents, 'ErrorNotice'], allHooks + 1_970],
  ['everything', values, allHooks + 19_335],
]

/** How many operations there are beyond those of the interface document. Each brings its own lines. */
const added = Object.keys(operations).length - 5

/** How many lines the source of each layer may have, by a regular expression for its paths. */
const layers: readonly (readonly [paths: RegExp, lines: number])[] = [
  [/^(?:base|contract)\//, 858 + 30 * added],
  [/^rate-limit\//, 2_348],
  [/^client\//, 2_549],
  [/^hooks\//, 2_200 + 60 * added],
  [/^labels\//, 1_100],
  [/^components\//, 5_400],
  [/^server\//, 2_050],
  [/^devtools(?:\/|\.css)/, 1_100],
  [/^testing\//, 1_500 + 25 * added],
  [/./, 19_000 + 115 * added],
]

test.each(layers)('lines of %s stay within their bound: a commit that raises it says why', (paths, lines) => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  const counted = files.filter((path) => /\.(?:tsx?|css|lua)$/.test(path) && paths.test(path.replaceAll('\\', '/')))
  const text = counted.map((path) => readFileSync(join(source, path), 'utf8')).join('')
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(lines)
})

describe('what apps load stays within its budget:', () => {
  test.each(budgets)('%s', async (_, names, budget) => {
    const { size } = await bundle(names)
    expect(size).toBeLessThanOrEqual(budget)
  })

  test('all hooks with SWR and zod inside', async () => {
    const { size, sizeInAll } = await bundle(withoutComponents, react)
    expect(size).toBeLessThanOrEqual(allHooks + swr)
    expect(sizeInAll).toBeLessThanOrEqual(allHooks + swr + late)
  })

  test('the bindings for TanStack Query, beyond the client', async () => {
    const alone = `export { createPetstoreClient } from './client.ts'`
    const { size } = await bundleCode(alone)
    const { size: withBindings } = await bundleCode(`${alone}; export * from './tanstack-query.ts'`)
    // The same bindings measure 430 to 452 bytes, depending on how well the client beside them compresses.
    expect(withBindings - size).toBeLessThanOrEqual(455)
  })

  test.each([
    ['styles.css', 5_115],
    ['styles.layer.css', 5_190],
    ['devtools.css', 1_182],
  ])('%s', (name, budget) => {
    const styles = buildStyles(join(source, name))
    expect(gzipSync(styles, { level: 9 }).length).toBeLessThanOrEqual(budget)
  })
})

describe('what apps do not load', () => {
  test('everything that is loaded at once is one file: more files would be more requests, and compress worse', async () => {
    expect((await bundle(values)).fileCount).toBe(1)
  })

  test('all components together load no language but English', async () => {
    const { modules } = await bundle(values)
    expect(modules.filter((name) => /labels\/(?:ar|de|ja)\./.test(name))).toEqual([])
  })

  test('all hooks and components load nothing of zod', async () => {
    const names = values.filter((name) => /^use|^[A-Z]|^createPetstoreClient|^isPetstoreError/.test(name))
    const { modules } = await bundle(names, react)
    expect(names).toEqual(expect.arrayContaining([...hookNames, 'CategoryManager', 'MessageComposer']))
    expect(modules.filter((name) => name.includes('/swr/'))).not.toEqual([])
    expect(modules.filter((name) => /\/zod\//.test(name))).toEqual([])
  })
})
