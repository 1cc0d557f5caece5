import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright'
import { createPetstoreService, type PetstoreService } from '../../../src/testing.ts'
import { listen } from '../../../src/testing/node.ts'
import type { Files } from './bundles.ts'

const contentTypes: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

/** Serves an app and the mock service on one port. */
export async function serve(files: Files, categories: number) {
  const service = createPetstoreService({ categories, plan: 'business' })
  const responses = new Map(
    [...files].map(([path, bytes]) => {
      const type = contentTypes[path.split('.').pop() ?? ''] ?? 'application/octet-stream'
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
    /** The time when the frame with the first row was done, in ms since the navigation. */
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
      // The message arrives after the frame, including styles, layout and paint.
      requestAnimationFrame(() => channel.port2.postMessage(0))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
}

/** Returns the ms from navigation to first row. A new browser context ensures that nothing is cached. */
export async function timeFirstRow(browser: Browser, origin: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.addInitScript(watchFirstRow)
  await page.goto(origin)
  const time = await page.evaluate(() => window.firstRow)
  await context.close()
  return time
}

/** Counts the requests until the list appears, and those of a create until the list shows the category. */
export async function countRequests(browser: Browser, origin: string, { requests }: PetstoreService, hasForm: boolean) {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  let allRequests = 0
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) allRequests += 1
  })
  await page.goto(origin, { waitUntil: 'networkidle' })
  const first = { all: allRequests, toService: requests.length }
  if (hasForm) {
    await page.getByLabel('Name', { exact: true }).fill('Axolotl')
    await page.getByRole('button', { name: 'Create category' }).click()
    await page.locator('main li', { hasText: 'Axolotl' }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  await page.close()
  return { first, create: requests.length - first.toService }
}
