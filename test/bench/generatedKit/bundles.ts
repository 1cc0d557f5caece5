import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build as buildExports, type Metafile } from 'esbuild'
import { build as buildWithVite } from 'vite'

const folder = process.cwd()

/** The files of a page, by path. */
export type Files = ReadonlyMap<string, Uint8Array>

/** Builds one of apps/ with Vite, for production. */
export async function buildApp(name: string): Promise<Files> {
  const built = await buildWithVite({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    resolve: { alias: { app: join(folder, 'apps', `${name}.tsx`) } },
    build: { write: false },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((result) =>
    'output' in result ? result.output : [],
  )
  return new Map(
    outputs.map((file) => [`/${file.fileName}`, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  )
}

const gzip = (bytes: Uint8Array): number => gzipSync(bytes, { level: 9 }).length

export function gzipOf(files: Files, extension: string): number {
  return [...files].reduce((sum, [path, bytes]) => sum + (path.endsWith(extension) ? gzip(bytes) : 0), 0)
}

/** Every app loads these, whichever hooks it uses. */
const external = ['react', 'react-dom', 'swr', 'zod']

/** The bytes that an app loads at first if it imports these names (`*` for all). */
export async function exportSize(names: string, from: string) {
  const { files } = await bundle(names, from)
  return {
    gzip: files.reduce((sum, bytes) => sum + gzip(bytes), 0),
    brotli: files.reduce((sum, bytes) => sum + brotliCompressSync(bytes).length, 0),
  }
}

export async function exportNames(from: string): Promise<readonly string[]> {
  return (await bundle('*', from)).names
}

async function bundle(names: string, from: string) {
  const { outputFiles, metafile } = await buildExports({
    stdin: { contents: `export ${names === '*' ? '*' : `{ ${names} }`} from '${from}'`, resolveDir: folder },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: 'bundle',
    entryNames: 'entry',
    write: false,
    metafile: true,
    external,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const initialFiles = initialFilesOf(metafile)
  const files = outputFiles.filter(({ path }) => initialFiles.some((name) => path.endsWith(name)))
  return {
    names: metafile.outputs['bundle/entry.js']?.exports ?? [],
    files: files.map(({ contents }) => contents),
  }
}

/** The entry and the chunks that it imports statically. */
function initialFilesOf({ outputs }: Metafile): string[] {
  const found = new Set(['bundle/entry.js'])
  for (const name of found) {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[path]) found.add(path)
    }
  }
  return [...found]
}
