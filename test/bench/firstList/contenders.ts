import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { buildStyles } from '../../../buildStyles.ts'

/** A page that shows the categories, built with what its title names. */
export interface Contender {
  readonly title: string
  /** Its file in `contenders`. */
  readonly name: string
  /** Whether it loads the styles of the components. */
  readonly hasStyles?: boolean
}

export const contenders: readonly Contender[] = [
  { title: 'SWR + zod/mini', name: 'SwrAndZod' },
  { title: '`useCategories`', name: 'Hook' },
  { title: '`CategoryList` with its styles', name: 'Component', hasStyles: true },
]

/** A built page: its HTML and all files that it may load, by path. Bytes are gzipped. */
export interface BuiltPage {
  readonly files: ReadonlyMap<string, Buffer>
  /** The scripts that it loads at once, without those that it loads with `import()`. */
  readonly scripts: readonly string[]
  readonly styles: string | undefined
}

const zip = (content: Uint8Array | string) => gzipSync(content, { level: 9 })

/** Bundles a page with the built package in `distFolder`, as Vite does for production. */
export async function buildPage({ name, hasStyles }: Omit<Contender, 'title'>, distFolder: string): Promise<BuiltPage> {
  const bundle = await rolldown({
    input: { [name]: `test/bench/firstList/contenders/${name}.tsx` },
    platform: 'browser',
    transform: { target: 'es2022', jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
    // Rolldown would warn of each `'use client'`, which means nothing in a page without server components.
    logLevel: 'silent',
    plugins: [
      {
        name: 'built package',
        resolveId: (path) => (path.endsWith('src/index.ts') ? { id: resolve(distFolder, 'index.js') } : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, entryFileNames: '[name].js' })
  await bundle.close()
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
  const atOnce = new Set([`${name}.js`])
  for (const file of atOnce) {
    for (const path of chunks.get(file)?.imports ?? []) atOnce.add(path)
  }
  const files = new Map([...chunks].map(([file, { code }]) => [`/${name}/${file}`, zip(code)]))
  const styles = `/${name}/styles.css`
  if (hasStyles) files.set(styles, zip(buildStyles(resolve(distFolder, 'styles.css'))))
  const scripts = [...atOnce].map((file) => `/${name}/${file}`)
  const [entry = '', ...imported] = scripts
  // As bundlers write it: styles and preloads before the script.
  const head = [
    '<meta charset="utf-8"><title>Categories</title><link rel="icon" href="data:,">',
    hasStyles ? `<link rel="stylesheet" href="${styles}">` : '',
    ...imported.map((path) => `<link rel="modulepreload" href="${path}">`),
    `<script type="module" src="${entry}"></script>`,
  ]
  files.set(`/${name}`, zip(`<!doctype html>${head.join('')}<div id="root"></div>`))
  return { files, scripts, styles: hasStyles ? styles : undefined }
}
