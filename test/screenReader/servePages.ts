import { bundlePage } from '../bundlePage.ts'
import { contentTypeOf, type StartedServer, startServer } from '../startServer.ts'

/** What `page.tsx` shows, and on which service. */
export interface Scene {
  readonly name: string
  readonly language: Language
  readonly baseUrl: string
  readonly quickstartBaseUrl: string
}

export type Language = 'en' | 'ar'

/** Serves one page, whose scene may change. */
export interface PageServer extends StartedServer {
  /** What the page shows when it is loaded the next time. */
  readonly show: (scene: Scene | undefined) => void
}

export async function servePages(): Promise<PageServer> {
  const files = await bundlePage('test/screenReader/page.tsx', 'src/styles.css')
  let scene: Scene | undefined
  const started = await startServer(({ url = '' }, response) => {
    const file = url === '/' ? pageOf(scene) : files.get(url)
    response.statusCode = file === undefined ? 404 : 200
    response.setHeader('Content-Type', `${contentTypeOf(url)}; charset=utf-8`)
    response.setHeader('Cache-Control', 'no-store')
    response.end(file)
  })
  return { ...started, show: (next) => (scene = next) }
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
