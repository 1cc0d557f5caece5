import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright'
import type * as Petstore from '../../src/client.ts'
import type { PetstoreClient, PetstoreClientOptions } from '../../src/client.ts'
import type { PetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { chromiumLaunchOptions } from '../chromium.ts'
import { serveTabs } from './serveTabs.ts'

declare global {
  interface Window {
    petstore: typeof Petstore
    client: PetstoreClient
    /** The port to each worker that `startWorker` has started, by its kind. */
    workers: Record<string, MessagePort>
  }
}

export type WorkerKind = 'dedicated' | 'shared' | 'service'

/** A browser with a profile on disk, and a service on another origin than the pages. */
export interface Tabs {
  readonly context: BrowserContext
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
  const pages = await serveTabs()
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
      await page.goto(pages.origin)
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

/** Starts a worker of the page's origin with a client of its own. */
export async function startWorker(page: Page, kind: WorkerKind, options: PetstoreClientOptions): Promise<void> {
  await page.evaluate(
    async ([workerKind, given]) => {
      const { port1, port2 } = new MessageChannel()
      window.workers ??= {}
      window.workers[workerKind] = port1
      const ready = new Promise((resolve) => {
        port1.onmessage = resolve
      })
      if (workerKind === 'dedicated') new Worker('/worker.js').postMessage(given, [port2])
      if (workerKind === 'shared') new SharedWorker('/worker.js').port.postMessage(given, [port2])
      if (workerKind === 'service') {
        await navigator.serviceWorker.register('/worker.js')
        const { active } = await navigator.serviceWorker.ready
        active?.postMessage(given, [port2])
      }
      await ready
    },
    [kind, options] as const,
  )
}

/** Lists the categories in a worker. Resolves with their number, or with the kind of the error. */
export async function listInWorker(page: Page, kind: WorkerKind): Promise<number | string> {
  return page.evaluate(async (workerKind) => {
    const port = window.workers[workerKind]
    if (!port) throw new Error('There is no such worker.')
    return new Promise<number | string>((resolve) => {
      port.onmessage = ({ data }: MessageEvent<number | string>) => resolve(data)
      port.postMessage('list')
    })
  }, kind)
}
