import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { defineConfig, type Plugin, type RenderedChunk } from 'rolldown'
import { parseSync } from 'rolldown/utils'
import { dts } from 'rolldown-plugin-dts'
import { buildStyles } from './buildStyles.ts'
import manifest from './package.json' with { type: 'json' }

/** Where `npm run build` lets `tsc` write a declaration file for each source file. */
const declarations = 'node_modules/.declarations'

const entries = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.default],
)
const nameOf = (path: string) => posix.relative('dist', path).replace(/\.js$/, '')
const inputs = (paths: readonly string[], toFile: (name: string) => string) =>
  Object.fromEntries(paths.map((path) => [nameOf(path), toFile(nameOf(path))]))

/**
 * A file for each layer and each component, so that each is a client module or is not, and so that an app that renders
 * one component from a server component loads no other. What is imported by `import()` keeps a file of its own, and what
 * only one entry imports is in the file of that entry.
 */
const groups = [
  // esbuild drops texts for developers only where no other value comes before the constant in its file.
  ['development', /src\/base\/development\.ts/],
  ['base', /src\/base\//],
  // It alone has zod, which an app that does not import `int64` leaves out.
  ['int64', /src\/contract\/category\.ts/],
  ['fields', /src\/contract\/fields\.ts/],
  ['contract', /src\/contract\//],
  ['rate-limit', /src\/rate-limit\//],
  ['client', /src\/client\/(?!rawOutput|gatedFetch)/],
  ['labels', /src\/labels\/(?:formats|waitText|en)/],
  ['hooks', /src\/hooks\/(?!tabs)/],
  ['components', /src\/components\/\w+\.tsx?$/],
  ...readdirSync('src/components', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [[entry.name, new RegExp(`src/components/${entry.name}/`)] as const] : [],
  ),
  ['DevtoolsPanel', /src\/devtools\/(?!PetstoreDevtools|production)/],
] as const

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent: readonly string[]
  readonly mappings: string
}

/**
 * The code of a source file, on the same lines. Comments, imports and declared types are in the repository, and would be
 * a quarter of the package.
 */
function onlyCode(path: string, source: string): string {
  const { program, comments } = parseSync(path, source)
  const types = program.body.filter((statement) => {
    const { type } = 'declaration' in statement && statement.declaration ? statement.declaration : statement
    return /^(?:ImportDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration)$/.test(type)
  })
  return [...comments, ...types]
    .reduce(
      (text, { start, end }) =>
        text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ') + text.slice(end),
      source,
    )
    .replaceAll(/ +$/gm, '')
}

/**
 * Files that say as much as their sources: the texts of a language, and code that no app minifies for a page, since it runs in
 * Node, in tests and during development. All of it is readable, with the names of the source.
 */
const isReadable = (fileName: string) =>
  /^(?:labels|server|testing|devtools|chunks\/(?:createPetstoreService|listen|DevtoolsPanel)\b)/.test(fileName)

/** Makes source maps small: a position for each line of code, and sources with nothing but code. */
const smallSourceMaps: Plugin = {
  name: 'small-source-maps',
  generateBundle(_, bundle) {
    for (const [fileName, file] of Object.entries(bundle)) {
      // The names of source files, which the maps have, and imports of nothing.
      if (file.type === 'chunk') file.code = file.code.replaceAll(/^(?:\/\/ src\/.*|import "\.+\/.*";)$/gm, '')
      if (isReadable(fileName)) {
        if (file.type === 'chunk') file.code = file.code.replace(/^\/\/# sourceMappingURL.*\n?/m, '')
        else delete bundle[fileName]
      } else if (file.type === 'asset' && fileName.endsWith('.map')) {
        const map: SourceMap = JSON.parse(String(file.source))
        file.source = JSON.stringify({
          version: 3,
          sources: map.sources,
          sourcesContent: map.sourcesContent.map((source, index) => onlyCode(map.sources[index] ?? '', source)),
          names: [],
          mappings: encode(decode(map.mappings).map((line) => line.slice(0, 1))),
        })
      }
    }
  },
}

/** The stylesheets. After the plugin that leaves out what comes with the developer tools. */
const styles: Plugin = {
  name: 'styles',
  generateBundle() {
    for (const fileName of ['styles.css', 'styles.layer.css', 'devtools.css']) {
      this.emitFile({ type: 'asset', fileName, source: buildStyles(`src/${fileName}`) })
    }
  },
}

const directive = "'use client'"
/** What the bundler adds of its own has no file. */
const isClientModule = (id: string) => !id.startsWith('\0') && readFileSync(id, 'utf8').startsWith(directive)

/** A file of the package is a client module if one of its modules is. Only what those alone import may be beside them. */
function clientDirective({ fileName, moduleIds }: RenderedChunk): string {
  if (!moduleIds.some(isClientModule)) return ''
  const others = moduleIds.filter((id) => !id.startsWith('\0') && !/src\/(?:hooks|components|devtools)\//.test(id))
  if (others.length > 0) throw new Error(`${fileName} is a client module, but servers may call ${others.join(', ')}.`)
  return directive
}

/** The bundler prints a comment behind the member before it, where editors do not find it. */
const commentsOnTheirLines: Plugin = {
  name: 'comments-on-their-lines',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk')
        file.code = file.code.replaceAll(/(?<=\S) *(\/\*\*(?:[^*]|\*(?!\/))*\*\/)\s*/g, '\n$1\n')
    }
  },
}

export default defineConfig([
  {
    input: inputs([...entries, ...Object.values(manifest.bin)], (name) => `src/${name}.ts`),
    external: /^[^./]/,
    platform: 'neutral',
    preserveEntrySignatures: 'allow-extension',
    treeshake: { moduleSideEffects: false },
    logLevel: 'warn',
    onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
    output: {
      dir: 'dist',
      cleanDir: true,
      chunkFileNames: 'chunks/[name].js',
      minifyInternalExports: false,
      comments: { legal: false, jsdoc: false, annotation: true },
      sourcemap: true,
      strictExecutionOrder: false,
      banner: clientDirective,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: groups.map(([name, test], index) => ({ name, test, priority: groups.length - index })),
      },
    },
    plugins: [smallSourceMaps, styles],
  },
  {
    input: inputs(entries, (name) => `${declarations}/${name}.d.ts`),
    external: /^[^./]/,
    logLevel: 'warn',
    plugins: [dts({ dtsInput: true, tsconfig: false }), commentsOnTheirLines],
    output: { dir: 'dist', chunkFileNames: 'chunks/[name].js', minifyInternalExports: false },
  },
])
