import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { type BrowserContext, chromium, type Page } from 'playwright'
import type * as Petstore from '../../src/client.ts'
import type { PetstoreClient, PetstoreClientOptions } from '../../src/client.ts'
import type { PetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { chromiumLaunchOptions } from '../chromium.ts'

declare global {
  interface Window {
    petstore: typeof Petstore
    client: PetstoreClient
  }
}

/** A browser with a profile on disk, and a service on another origin than the pages. */
export interface Tabs {
  readonly context: BrowserContext
  /** The service's base address. */
  readonly baseUrl: string
  /** Opens a page whose client is `window.client`. */
  readonly open: (
    options?: Omit<PetstoreClientOptions, 'baseUrl' | 'fetch' | 'onEvent' | 'rateLimitStore'>,
  ) => Promise<Page>
  /** The console warnings of all pages. */
  readonly warnings: readonly string[]
  readonly close: () => Promise<void>
}

export async function openTabs(service: PetstoreService): Promise<Tabs> {
  const script = await bundleClient()
  const pages = createServer((request, response) => {
    const isScript = request.url === '/client.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? script
        : '<!doctype html><title>Tab</title><link rel="icon" href="data:,"><script src="/client.js"></script>',
    )
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const address = pages.address()
  if (address === null || typeof address === 'string') throw new Error('The page server has no port.')
  const origin = `http://127.0.0.1:${address.port}`

  const server = await listen(service)
  const profile = await mkdtemp(join(tmpdir(), 'petstore-tabs-'))
  const context = await chromium.launchPersistentContext(profile, await chromiumLaunchOptions())
  const warnings: string[] = []

  return {
    context,
    baseUrl: server.baseUrl,
    warnings,
    open: async (options = {}) => {
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'warning') warnings.push(message.text())
      })
      await page.goto(origin)
      await startClient(page, { baseUrl: server.baseUrl, apiKey: 'demo', ...options })
      return page
    },
    close: async () => {
      await context.close()
      await server.close()
      pages.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** Creates the client of a page. Call it again after a reload. */
export async function startClient(page: Page, options: PetstoreClientOptions): Promise<void> {
  await page.evaluate((given) => {
    window.client = window.petstore.createPetstoreClient(given)
  }, options)
}

async function bundleClient(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../src/client.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'petstore',
    write: false,
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return outputFiles.map((file) => file.text).join('')
}
