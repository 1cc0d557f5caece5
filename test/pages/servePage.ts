import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { buildStyles } from '../../buildStyles.ts'

/** A page as a real app serves it: a document, its scripts in chunks, and the package's styles. */
export interface PageOptions {
  /** The script that the document loads, below `test/pages`. */
  readonly entry: string
  readonly html: (files: { readonly script: string; readonly styles: string }) => string
  /** Served as /styles.css. Default: the package's styles. */
  readonly styles?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface ServedPage {
  readonly url: string
  readonly close: () => void
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' }

export async function servePage({ entry, html, styles, headers = {} }: PageOptions): Promise<ServedPage> {
  const files = new Map(await bundle(entry))
  files.set('styles.css', styles ?? buildStyles('src/styles.css'))
  files.set('', html({ script: `/${entry.replace(/\.tsx?$/, '.js')}`, styles: '/styles.css' }))

  const server = createServer((request, response) => {
    const name = basename(request.url ?? '')
    const file = files.get(name)
    response.statusCode = file === undefined ? 404 : 200
    response.setHeader('Content-Type', `${types[name.split('.').pop() ?? ''] ?? 'text/html'}; charset=utf-8`)
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value)
    response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The page server has no port.')
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() }
}

async function bundle(entry: string): Promise<[name: string, text: string][]> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    outdir: '/pages',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles.map(({ path, text }) => [basename(path), text])
}
