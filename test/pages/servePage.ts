import { basename } from 'node:path'
import { buildStyles } from '../../buildStyles.ts'
import { bundlePage } from '../bundlePage.ts'
import { contentTypeOf, startServer } from '../startServer.ts'

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

export async function servePage({ entry, html, styles, headers = {} }: PageOptions): Promise<ServedPage> {
  const files = await bundlePage(`test/pages/${entry}`)
  files.set('/styles.css', styles ?? buildStyles('src/styles.css'))
  files.set('/', html({ script: `/${basename(entry).replace(/\.tsx?$/, '.js')}`, styles: '/styles.css' }))
  const { origin, close } = await startServer(({ url = '' }, response) => {
    const file = files.get(url)
    response.statusCode = file === undefined ? 404 : 200
    response.setHeader('Content-Type', `${contentTypeOf(url)}; charset=utf-8`)
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value)
    response.end(file)
  })
  return { url: `${origin}/`, close }
}
