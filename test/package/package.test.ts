import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { entries, publicNames } from '../../.storybook/entries.ts'
import { readApi } from '../../.storybook/readApi.ts'

/** Bundles what an app gets that imports these names, without the packages that the app installs. */
async function bundle(entry: string, names: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export ${names} from './${entry}'`, resolveDir: '.', loader: 'ts' },
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    outdir: '/bundle',
    write: false,
    metafile: true,
    platform: 'browser',
    external: [...Object.keys(manifest.peerDependencies), ...Object.keys(manifest.dependencies)],
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return {
    code: outputFiles.map(({ text }) => text).join(''),
    modules: inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
  }
}

const api = readApi('src')
const exported = Object.values(entries).flatMap((path) => publicNames(path))
const exportedNames = new Set(exported.map(({ name }) => name))

describe('the entries', () => {
  // An app that exports a function around one of ours needs the name of what it returns. Options need none.
  test.each([...new Set(exported.flatMap(({ kind, name }) => (kind === 'value' ? name : [])))])(
    '%s returns only types that have a public name',
    (name) => {
      const returned = (api[name]?.signatures ?? []).map((signature) => /^.*\): (.*)$/s.exec(signature)?.[1] ?? '')
      const mentioned = returned.flatMap((text) => text.match(/\b[A-Z]\w+\b/g) ?? [])
      expect(mentioned.filter((type) => type in api && !exportedNames.has(type))).toEqual([])
    },
  )

  test.each(Object.entries(entries))('%s exports at run time what its types say', async (_, path) => {
    const values = publicNames(path).flatMap(({ kind, name }) => (kind === 'value' ? [name] : []))
    expect(Object.keys(await import(/* @vite-ignore */ `../../${path}`)).toSorted()).toEqual(values.toSorted())
  })

  test.each(Object.entries(entries).filter(([name]) => !name.endsWith('/node')))(
    '%s needs nothing that only Node has',
    async (_, path) => {
      const { code } = await bundle(path, '*')
      expect(code).not.toMatch(/\b(?:process|Buffer|__dirname|__filename|setImmediate)\b|\bglobal\.|\brequire\(/)
    },
  )
})

describe('the bundle of an app', () => {
  const components = publicNames('src/index.ts').flatMap(({ kind, name }) =>
    kind === 'value' && /^[A-Z]/.test(name) ? [name] : [],
  )
  const folders = readdirSync('src/components', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
  /** The components that each component renders. */
  const rendered: Readonly<Record<string, readonly string[]>> = {
    CategoryForm: ['ErrorNotice'],
    CategoryList: ['ErrorNotice'],
    CategoryManager: ['CategoryForm', 'CategoryList', 'ErrorNotice', 'RateLimitBadge'],
    MessageComposer: ['ErrorNotice'],
  }

  test.each(folders)('with %s has no component that it does not render', async (name) => {
    expect(components).toContain(name)
    const { modules } = await bundle('src/index.ts', `{ ${name} }`)
    const found = folders.filter((folder) => modules.some((path) => path.startsWith(`src/components/${folder}/`)))
    expect(found).toEqual([name, ...(rendered[name] ?? [])].toSorted())
  })

  // `useErrorText` needs labels, because it returns the texts of `ErrorNotice`.
  const isHook = (name: string) => name.startsWith('use') && name !== 'useErrorText'
  test.each(publicNames('src/index.ts').filter(({ kind, name }) => kind === 'value' && isHook(name)))(
    'with $name has no component and no labels',
    async ({ name }) => {
      const { modules } = await bundle('src/index.ts', `{ ${name} }`)
      expect(modules).not.toEqual([])
      // `formats` and `waitText` hold no texts of a language.
      expect(modules.filter((path) => /components\/|labels\/(?!formats|waitText)|testing\//.test(path))).toEqual([])
    },
  )
})

describe('the package', () => {
  /** The packages that users install with it. */
  const installed = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]
  const manifestOf = (name: string): { license?: string; scripts?: Record<string, string>; dependencies?: object } =>
    JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'))

  test.each(['petstore-react', ...installed])('%s has a permissive license and no install scripts', (name) => {
    const { license, scripts = {} } = name === manifest.name ? manifest : manifestOf(name)
    expect(['MIT', 'Apache-2.0']).toContain(license)
    expect(Object.keys(scripts).filter((script) => /^(?:pre|post)?install$/.test(script))).toEqual([])
  })

  test('resolves where `exports` is not read, as in Parcel, to the same files', () => {
    const files = Object.entries(manifest.exports).map(([name, target]) => [
      name,
      typeof target === 'string' ? target : target.default,
    ])
    const { '.': main, './package.json': _, ...others } = Object.fromEntries(files)
    expect({ main: manifest.main, alias: manifest.alias }).toEqual({ main, alias: others })
  })

  test('has one dependency, which has none', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['@standard-schema/spec'])
    for (const name of Object.keys(manifest.dependencies)) expect(manifestOf(name).dependencies ?? {}).toEqual({})
  })

  interface Packed {
    /** Bytes of the archive. */
    readonly size: number
    readonly files: readonly { readonly path: string }[]
  }

  let packing: Promise<Packed> | undefined
  /** The files that `npm publish` would upload. Packs only once. */
  const pack = () => (packing ??= packNow())
  /** `npm pack` also builds the package into `dist`, where `npm test` checks it afterwards. */
  async function packNow(): Promise<Packed> {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--silent'])
    const [packed]: [Packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
    return packed
  }
  const packedFiles = async () => (await pack()).files.map(({ path }) => path)

  /** How many bytes a page loads, at once and later: plain and compressed. */
  async function minifiedSize(entry: string, names: readonly string[]) {
    const { outputFiles } = await build({
      stdin: { contents: `export { ${names.join()} } from './${entry}'`, resolveDir: '.', loader: 'ts' },
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      outdir: '/bundle',
      write: false,
      external: [...Object.keys(manifest.peerDependencies), ...Object.keys(manifest.dependencies)],
      define: { 'process.env.NODE_ENV': '"production"' },
    })
    const sumOf = (sizeOf: (contents: Uint8Array) => number) =>
      outputFiles.reduce((sum, { contents }) => sum + sizeOf(contents), 0)
    return {
      bytes: sumOf(({ length }) => length),
      gzipped: sumOf((contents) => gzipSync(contents, { level: 9 }).length),
    }
  }

  test('contains the build, the guides, the skill, and nothing else', async () => {
    const paths = await packedFiles()
    const expected =
      /^(?:package\.json|README\.md|SECURITY\.md|LICENSE|dist\/.+\.(?:js|d\.ts|js\.map|css)|src\/tokens\.json|docs\/(?:components\/)?[\w-]+\.md|skills\/petstore-react\/SKILL\.md)$/
    expect(paths.filter((path) => !expected.test(path))).toEqual([])
    const built = [...Object.values(manifest.exports), ...Object.values(manifest.bin)].flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    )
    expect(paths).toEqual(expect.arrayContaining(built.map((path) => posix.normalize(path))))
  })

  test('is small', async () => {
    const { size, files } = await pack()
    expect(size).toBeLessThanOrEqual(400_000)
    expect(files.length).toBeLessThanOrEqual(125)
  })

  test('has source maps of what pages load, with the code of the sources on the same lines', async () => {
    const layers = ['base', 'contract', 'rate-limit', 'client', 'hooks', 'components', 'CategoryList']
    const maps = (await packedFiles()).filter((path) => path.endsWith('.js.map'))
    expect(maps).toEqual(expect.arrayContaining(layers.map((name) => `dist/chunks/${name}.js.map`)))
    expect(maps.filter((path) => /server|testing|devtools/i.test(path))).toEqual([])
    for (const map of maps) {
      const { sources, sourcesContent }: { sources: string[]; sourcesContent: string[] } = JSON.parse(
        readFileSync(map, 'utf8'),
      )
      for (const [index, source] of sources.entries()) {
        const path = posix.join(posix.dirname(map), source)
        const lines = readFileSync(path, 'utf8').split('\n')
        const packed = sourcesContent[index]?.split('\n') ?? []
        const words = (line = ''): readonly string[] => line.match(/\w+/g) ?? []
        expect(packed.filter((line, at) => words(line).some((word) => !words(lines[at]).includes(word)))).toEqual([])
        expect([path, packed.length]).toEqual([path, lines.length])
        expect(words(packed.join())).not.toEqual([])
      }
    }
  })

  test('keeps client modules apart from what servers may call', async () => {
    const maps = (await packedFiles()).filter((path) => path.endsWith('.js.map'))
    const isClient = (path: string) => /^["']use client/.test(readFileSync(path, 'utf8'))
    const found = maps.flatMap((map) => {
      const { sources }: { sources: string[] } = JSON.parse(readFileSync(map, 'utf8'))
      const files = sources.map((source) => posix.join(posix.dirname(map), source))
      const code = map.replace(/\.map$/, '')
      const others = files.filter((file) => !/^src\/(?:hooks|components|devtools)\//.test(file))
      return isClient(code) === files.some(isClient) && (others.length === 0 || !isClient(code)) ? [] : [code]
    })
    expect(found).toEqual([])
    expect(maps.filter((map) => isClient(map.replace(/\.map$/, '')))).not.toEqual([])
  })

  test('has no files that import each other in a circle: one of them would use what is not there yet', async () => {
    const files = (await packedFiles()).filter((path) => path.endsWith('.js'))
    const importsOf = (path: string) =>
      Array.from(readFileSync(path, 'utf8').matchAll(/^(?:import|export)\b[^;]*?["'](\.[^"']+)["']/gm), ([, to = '']) =>
        posix.join(posix.dirname(path), to),
      )
    const imports = new Map(files.map((path) => [path, importsOf(path)]))
    const circles = files.filter((path) => {
      const reached = new Set(imports.get(path))
      for (const next of reached) for (const further of imports.get(next) ?? []) reached.add(further)
      return reached.has(path)
    })
    expect(circles).toEqual([])
    expect([...imports.values()].flat().length).toBeGreaterThan(50)
  })

  test.each([
    ['index', ['createPetstoreClient', 'isPetstoreError']],
    ['index', ['PetstoreProvider', 'useCategories']],
    ['index', ['PetstoreProvider', 'CategoryList']],
    ['index', ['PetstoreProvider', 'MessageComposer']],
    ['index', publicNames('src/index.ts').flatMap(({ kind, name }) => (kind === 'value' ? [name] : []))],
    ['client', ['createPetstoreClient']],
    ['server', ['createPetstoreHandler']],
  ])(
    '%s costs an app that imports %j no more than its source',
    async (entry, names) => {
      await packedFiles()
      const built = await minifiedSize(`dist/${entry}.js`, names)
      const source = await minifiedSize(`src/${entry}.ts`, names)
      // More bytes mean that a bundler cannot leave out a module of the package.
      expect(built.bytes).toBeLessThanOrEqual(1.01 * source.bytes)
      // The files of the package are compressed one by one: two of them repeat what one file says once.
      expect(built.gzipped).toBeLessThanOrEqual(1.03 * source.gzipped)
    },
    60_000,
  )
})
