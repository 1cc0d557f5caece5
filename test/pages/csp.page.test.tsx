import type { Page } from 'playwright'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { buildStyles } from '../../buildStyles.ts'
import { createPetstoreClient, operations, prefetchQuery } from '../../src/client.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { App, type AppProps } from './App.tsx'
import { servePage } from './servePage.ts'
import { startBrowser } from './startBrowser.ts'

const browser = startBrowser()

/** The errors and warnings in the console of a page, and its uncaught errors. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

/** Opens the app as a server has rendered it, under a strict Content Security Policy with Trusted Types. */
async function openStrictApp() {
  const service = createPetstoreService({ categories: 450 }) // a list first shows 200
  const server = await listen(service)
  onTestFinished(server.close)
  const { baseUrl, quickstartBaseUrl, origin } = server
  const client = createPetstoreClient({ baseUrl, quickstartBaseUrl, apiKey: 'demo', scope: 'page' })
  const fallback = await prefetchQuery(client, operations.listCategories)
  const props: AppProps = { baseUrl, quickstartBaseUrl, fallback }
  const policy = [
    "default-src 'self'",
    "style-src 'self'",
    "script-src 'self'",
    `connect-src 'self' ${origin}`,
    "require-trusted-types-for 'script'",
  ].join('; ')
  const served = await servePage({
    entry: 'hydrate.tsx',
    styles: buildStyles('src/styles.css') + buildStyles('src/devtools.css'),
    headers: { 'Content-Security-Policy': policy },
    // Any file as the icon: without one, Chromium asks for /favicon.ico, and the 404 would be a complaint.
    html: ({ script, styles }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pets</title><link rel="stylesheet" href="${styles}">
<link rel="icon" href="${styles}"></head><body><div id="root">${renderToString(<App {...props} />)}</div>
<script type="application/json" id="data">${JSON.stringify(props)}</script>
<script type="module" src="${script}"></script></body></html>`,
  })
  onTestFinished(served.close)
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  const complaints = complaintsOf(page)
  await page.goto(served.url)
  return { page, service, complaints }
}

test('under a strict Content Security Policy each component hydrates and works without a complaint', async () => {
  const { page, service, complaints } = await openStrictApp()
  const managed = page.getByRole('region', { name: 'Categories' })
  const selectable = page.getByRole('region', { name: 'To select' })
  await managed.getByText('Showing 200 of 450').waitFor()

  // Brings every part of the components onto the page.
  await page.getByRole('textbox', { name: 'Name' }).fill('Axolotl')
  await page.getByRole('button', { name: 'Create category' }).click()
  await managed.getByText('Showing 200 of 451').waitFor()
  await managed.getByRole('searchbox').fill('Axolotl')
  await managed.getByRole('listitem').filter({ hasText: 'Axolotl' }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  // Looks in the list, because the live region announces the same text for a moment.
  await page.getByRole('list', { name: 'Messages' }).getByText('Queued').waitFor()
  await selectable.getByRole('checkbox', { name: 'Dog 1', exact: true }).check()

  // The developer tools: their panel, its `<details>`, and the report.
  await page.getByRole('button', { name: 'Petstore tools' }).click()
  const tools = page.getByRole('region', { name: 'Petstore developer tools' })
  await tools.getByRole('row', { name: /^createCategory/ }).waitFor()
  await tools.getByText('Forget the cool-down').click()
  await tools.getByRole('button', { name: 'Forget it' }).waitFor()
  await tools.getByRole('button', { name: 'Copy as JSON' }).click()
  await tools.getByText(/^(?:Copied|Not copied)/).waitFor()
  expect(await tools.evaluate((panel) => getComputedStyle(panel).overflowY)).toBe('auto') // their styles apply
  await page.keyboard.press('Escape')
  await tools.waitFor({ state: 'detached' })

  service.failNext({ status: 503 }, 10) // more than the retries of one call
  await managed.getByRole('button', { name: 'Refresh' }).click()
  await managed.getByText('The service has a problem').waitFor()

  expect(complaints.filter((complaint) => !complaint.includes('503'))).toEqual([]) // Chromium logs each 503
})

test('Chromium enforces the policy of these pages: no HTML from strings, no inline styles', async () => {
  const { page, complaints } = await openStrictApp()
  const write = page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<b style="color: red">Red</b>'))
  await expect(write).rejects.toThrow('TrustedHTML')
  await page.evaluate(() => document.body.setAttribute('style', 'color: red'))
  await expect.poll(() => complaints.join()).toContain('style-src')
})
