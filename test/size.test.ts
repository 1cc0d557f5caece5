import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { publicNames } from '../.storybook/entries.ts'

const source = join(import.meta.dirname, '../src')

/** What every app with this kit has anyway. */
const external = ['react', 'react-dom', 'swr', 'zod']

interface Bundle {
  /** Bytes of the part that is loaded at once, as gzip sends it. */
  readonly size: number
  /** The modules in it. */
  readonly modules: readonly string[]
}

/** What an app that imports these names gets, minified. */
async function bundle(exports: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export ${exports} from './index.ts'`, resolveDir: source, loader: 'ts' },
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
  return {
    size: files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0),
    modules: atOnce.flatMap((name) => moduleNames(metafile, name)),
  }
}

/** The entry and the chunks that it imports, not those that it imports later. */
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

const hooks = publicNames('src/index.ts')
  .filter(({ kind, name }) => kind === 'value' && /^use|^createPetstoreClient|^isPetstoreError|^Petstore/.test(name))
  .map(({ name }) => name)
  .join(', ')

/**
 * The most that each may weigh in an app, in bytes: a little more than it did when it was last looked at, so that what
 * is small may come, and what is not is noticed.
 */
const budgets: readonly (readonly [what: string, exports: string, most: number])[] = [
  ['the client alone', '{ createPetstoreClient, isPetstoreError }', 13_700],
  ['one hook', '{ PetstoreProvider, useCategories }', 16_400],
  ['all hooks, the client and the gate', `{ ${hooks} }`, 17_700],
  ['with CategoryList', `{ ${hooks}, CategoryList }`, 25_900],
  ['with CategoryForm', `{ ${hooks}, CategoryForm }`, 23_700],
  ['with MessageComposer', `{ ${hooks}, MessageComposer }`, 25_200],
  ['with RateLimitBadge', `{ ${hooks}, RateLimitBadge }`, 21_800],
  ['with ErrorNotice', `{ ${hooks}, ErrorNotice }`, 21_500],
  ['everything', '*', 33_900],
]

describe('what apps load', () => {
  test.each(budgets)('%s', async (_, exports, most) => {
    const { size } = await bundle(exports)
    expect(size).toBeLessThanOrEqual(most)
  })

  test('the styles', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(source, 'styles.css')],
      bundle: true,
      minify: true,
      write: false,
      outdir: '/bundle',
    })
    const styles = outputFiles.map(({ text }) => text).join('')
    expect(gzipSync(styles, { level: 9 }).length).toBeLessThanOrEqual(5_000)
  })
})

describe('what apps do not load', () => {
  test('all components bring neither the virtualizer nor the other languages', async () => {
    const { modules } = await bundle('*')
    expect(modules.filter((name) => /virtua|labels\/(?:ar|de|ja)\./.test(name))).toEqual([])
  })
})
