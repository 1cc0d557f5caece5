import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright'
import { createPetstoreService, type PetstoreService } from '../../../src/testing.ts'
import { listen } from '../../../src/testing/node.ts'
import type { Files } from './bundles.ts'

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

/** An app and the service, on one port. */
export async function serve(files: Files, categories: number) {
  const service = createPetstoreService({ categories, plan: 'business' })
  const responses = new Map(
    [...files].map(([path, bytes]) => {
      const type = types[path.split('.').pop() ?? ''] ?? 'application/octet-stream'
      const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' }
      return [path, () => new Response(gzipSync(bytes), { headers })]
    }),
  )
  const listening = await listen({
    addresses: service.addresses,
    fetch: async (request) => {
      const path = new URL(request instanceof Request ? request.url : request).pathname
      return responses.get(path === '/' ? '/index.html' : path)?.() ?? service.fetch(request)
    },
  })
  return { service, ...listening }
}

declare global {
  interface Window {
    /** When the frame with the first row was done, in ms since the navigation began. */
    firstRow: Promise<number>
  }
}

function watchFirstRow(): void {
  window.firstRow = new Promise((resolve) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => resolve(performance.now())
    const observer = new MutationObserver(() => {
      if (!document.querySelector('main li')?.textContent.includes('Dog 1')) return
      observer.disconnect()
      // The message comes after the frame: styles, layout and paint included.
      requestAnimationFrame(() => channel.port2.postMessage(0))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
}

/** Nothing is cached or stored: each visit has a browser context of its own. Gives ms from navigation to first row. */
export async function timeFirstRow(browser: Browser, origin: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.addInitScript(watchFirstRow)
  await page.goto(origin)
  const time = await page.evaluate(() => window.firstRow)
  await context.close()
  return time
}

/** The requests until the list is there, and those that creating a category takes until the list shows it. */
export async function countRequests(browser: Browser, origin: string, { requests }: PetstoreService, hasForm: boolean) {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  let total = 0
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) total += 1
  })
  await page.goto(origin, { waitUntil: 'networkidle' })
  const first = { all: total, ofService: requests.length }
  if (hasForm) {
    await page.getByLabel('Name', { exact: true }).fill('Axolotl')
    await page.getByRole('button', { name: 'Create category' }).click()
    await page.locator('main li', { hasText: 'Axolotl' }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  await page.close()
  return { first, create: requests.length - first.ofService }
}
