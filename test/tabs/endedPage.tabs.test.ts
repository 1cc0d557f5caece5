import type { Page } from 'playwright'
import { afterEach, expect, it } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { listInWorker, openTabs, startClient, startWorker, type Tabs } from './tabs.setup.ts'

declare global {
  interface Window {
    endWorker: () => void
  }
}

let openedTabs: Tabs | undefined

afterEach(async () => {
  await openedTabs?.close()
  openedTabs = undefined
})

/** Until this time-out, a request without a response counts as in flight: longer than a test takes. */
const options = { timeout: 600_000 }

/** Starts a browser and a service that never responds to the first GET. No page is open yet. */
async function setup() {
  const service = createPetstoreService()
  let arrived = 0
  const tabs = await openTabs({
    ...service,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method !== 'GET') return service.fetch(request)
      arrived += 1
      return arrived === 1 ? new Promise<never>(() => {}) : service.fetch(request)
    },
  })
  openedTabs = tabs
  return {
    tabs,
    clientOptions: { baseUrl: tabs.baseUrl, apiKey: 'demo', ...options },
    /** How many GETs have arrived. */
    arrived: () => arrived,
  }
}

const startList = (page: Page) => page.evaluate(() => void window.client.listCategories().catch(() => {}))

it.each<[string, (page: Page) => Promise<Page>]>([
  [
    'is reloaded',
    async (page) => {
      await page.reload()
      return page
    },
  ],
  [
    'follows a link',
    async (page) => {
      await page.goto(`${new URL(page.url()).origin}/next`)
      return page
    },
  ],
])('a page that %s while its first request is in flight holds nobody back', async (_, endPage) => {
  const { tabs, clientOptions, arrived } = await setup()
  // Stops the clock of the pages, at a future time as Playwright demands, so that no timer can end the wait.
  await tabs.context.clock.install()
  const page = await tabs.open(options)
  await tabs.context.clock.pauseAt(Date.now() + 60_000)
  await startList(page)
  await expect.poll(arrived).toBe(1)
  const next = await endPage(page)
  await startClient(next, clientOptions)
  await startList(next)
  await expect.poll(arrived).toBe(2)
})

// A crash has no event in other tabs. After a second without a response the gate lets another request leave.
it('a page that crashes while its first request is in flight holds nobody back for long', async () => {
  const { tabs, clientOptions, arrived } = await setup()
  const page = await tabs.open(options)
  const { origin } = new URL(page.url())
  await startList(page)
  await expect.poll(arrived).toBe(1)
  const crashed = new Promise((resolve) => page.once('crash', resolve))
  const session = await tabs.context.newCDPSession(page)
  void session.send('Page.crash').catch(() => {})
  await crashed
  const next = await tabs.context.newPage()
  await next.goto(origin)
  await startClient(next, clientOptions)
  await startList(next)
  await expect.poll(arrived).toBe(2)
})

it('a worker that is terminated while its first request is in flight holds nobody back for long', async () => {
  const { tabs, clientOptions, arrived } = await setup()
  const page = await tabs.open(options)
  await page.evaluate(() => {
    const { Worker } = window
    window.Worker = class extends Worker {
      constructor(url: string | URL) {
        super(url)
        window.endWorker = () => this.terminate()
      }
    }
  })
  await startWorker(page, 'dedicated', clientOptions)
  void listInWorker(page, 'dedicated').catch(() => {})
  await expect.poll(arrived).toBe(1)
  await page.evaluate(() => window.endWorker())
  await startWorker(page, 'dedicated', clientOptions)
  expect(await listInWorker(page, 'dedicated')).toBeGreaterThan(0)
})
