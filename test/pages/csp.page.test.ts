import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { chromiumLaunchOptions } from '../chromium.ts'
import { buildStyles } from '../../buildStyles.ts'
import { servePage } from './servePage.ts'
import { serveStrictApp } from './serveStrictApp.tsx'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch(await chromiumLaunchOptions())
})
afterAll(async () => {
  await browser.close()
})

/** The errors and warnings in the console of a page, and its uncaught errors. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

test('under a strict policy everything works, from the server’s HTML on', async () => {
  const service = createPetstoreService({ categories: 450 })
  const served = await serveStrictApp(service, {
    entry: 'hydrate.tsx',
    styles: buildStyles('src/styles.css') + buildStyles('src/devtools.css'),
  })
  const page = await browser.newPage()
  const complaints = complaintsOf(page)

  await page.goto(served.url)
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
  // In the list: the live region announces the same text for a moment.
  await page.getByRole('list', { name: 'Messages' }).getByText('Queued').waitFor()
  await selectable.getByRole('checkbox', { name: 'Dog 1', exact: true }).check()

  // The developer tools: their panel, a text that is closed at first, and the report.
  await page.getByRole('button', { name: 'Petstore tools' }).click()
  const tools = page.getByRole('region', { name: 'Petstore developer tools' })
  await tools.getByRole('row', { name: /^createCategory/ }).waitFor()
  await tools.getByText('Forget the cool-down').click()
  await tools.getByRole('button', { name: 'Forget it' }).waitFor()
  await tools.getByRole('button', { name: 'Copy as JSON' }).click()
  await tools.getByText(/^Cop(?:ied|y the text below)/).waitFor()
  expect(await tools.evaluate((panel) => getComputedStyle(panel).overflowY)).toBe('auto')
  await page.keyboard.press('Escape')
  await tools.waitFor({ state: 'detached' })

  service.failNext({ status: 503 }, 10)
  await managed.getByRole('button', { name: 'Refresh' }).click()
  await managed.getByText('The service has a problem').waitFor()

  expect(complaints.filter((complaint) => !complaint.includes('503'))).toEqual([])
  await page.close()
  await served.close()
})

test('the policy of this test is in force', async () => {
  const served = await servePage({
    entry: 'hydrate.tsx',
    headers: { 'Content-Security-Policy': "default-src 'self'; style-src 'self'" },
    html: () => '<!doctype html><title>Pets</title><p style="color: red">Styled in the HTML</p>',
  })
  const page = await browser.newPage()
  const complaints = complaintsOf(page)
  await page.goto(served.url)
  expect(complaints.join()).toContain('Content Security Policy')
  await page.close()
  served.close()
})
