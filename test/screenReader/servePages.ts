import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Scene } from './Scene.ts'

/** Serves one page, whose scene may change. */
export interface PageServer {
  readonly url: string
  /** What the page shows when it is loaded the next time. */
  readonly show: (scene: Scene | undefined) => void
  readonly close: () => void
}

export async function servePages(): Promise<PageServer> {
  const files = await bundle()
  let scene: Scene | undefined
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const file = path === '/' ? { type: 'text/html', text: pageOf(scene) } : files.get(path)
    response.statusCode = file ? 200 : 404
    response.setHeader('Content-Type', `${file?.type ?? 'text/plain'}; charset=utf-8`)
    response.setHeader('Cache-Control', 'no-store')
    response.end(file?.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The page server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    show: (next) => (scene = next),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bundle(): Promise<Map<string, { type: string; text: string }>> {
  const inSource = (path: string) => join(import.meta.dirname, path)
  const { outputFiles } = await build({
    entryPoints: { page: inSource('page.tsx'), styles: inSource('../../src/styles.css') },
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    outdir: '/',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return new Map(
    outputFiles.map(({ path, text }) => [path, { type: path.endsWith('.css') ? 'text/css' : 'text/javascript', text }]),
  )
}

function pageOf(scene: Scene | undefined): string {
  if (!scene) return '<!doctype html><html lang="en"><title>Start</title>'
  const { language } = scene
  const json = JSON.stringify(scene).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<title>Pet shop</title>
<link rel="stylesheet" href="/styles.css">
<h1>Pet shop</h1>
<main id="root" data-scene="${json}"></main>
<script type="module" src="/page.js"></script>
</html>`
}
