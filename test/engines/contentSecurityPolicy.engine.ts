import { afterEach, expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { serveStrictApp } from '../pages/serveStrictApp.tsx'
import type { EngineTab } from './EngineBrowser.ts'
import { fillFocusedField } from './fillFocusedField.ts'
import { openBrowser } from './openBrowser.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

const text = (tab: EngineTab) => tab.run(() => document.body.textContent)

/** Presses the first button with this text. */
const press = (tab: EngineTab, name: string) =>
  tab.run((wanted) => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === wanted)
    if (!button) throw new Error(`There is no button ${wanted}.`)
    button.click()
  }, name)

async function fill(tab: EngineTab, selector: string, value: string): Promise<void> {
  await tab.run((path) => document.querySelector<HTMLElement>(path)?.focus(), selector)
  await tab.run(fillFocusedField, value)
}

/** A page from a server, under the policy. */
async function openApp(moreHtml = '') {
  const service = createPetstoreService({ categories: 450 })
  const served = await serveStrictApp(service, { entry: '../engines/watchedPage.ts', moreHtml })
  endings.push(served.close)
  const browser = await openBrowser()
  endings.push(browser.close)
  const tab = await browser.openTab()
  await tab.open(served.url)
  return { service, tab }
}

test('under a strict policy with Trusted Types everything works, from the server’s HTML on', async () => {
  const { service, tab } = await openApp()
  await expect.poll(() => text(tab)).toContain('Showing 200 of 450')
  await fill(tab, '.petstore-category-form input', 'Axolotl')
  await press(tab, 'Create category')
  await expect.poll(() => text(tab)).toContain('Showing 200 of 451')
  await fill(tab, '.petstore-message-composer-input', 'Hello')
  await tab.run(() => document.querySelector<HTMLElement>('.petstore-message-composer-send')?.click())
  await expect
    .poll(() => tab.run(() => document.querySelector('.petstore-message-composer li')?.textContent))
    .toContain('Queued')
  await press(tab, 'Show 200 more')
  await expect.poll(() => text(tab)).toContain('Showing 400 of 451')
  service.failNext({ status: 503 }, 10)
  await press(tab, 'Refresh')
  await expect.poll(() => text(tab), { timeout: 30_000 }).toContain('The service has a problem')
  expect(await tab.run(() => window.complaints)).toEqual([])
})

test('the policy of this test is in force', async () => {
  const { tab } = await openApp('<p style="color: red">Styled</p>')
  await expect.poll(() => tab.run(() => window.isWatching)).toBe(true)
  const blocked = await tab.run(() => {
    try {
      document.body.insertAdjacentHTML('beforeend', '<b style="color: red">Red</b>')
      return 'written'
    } catch (error) {
      return String(error)
    }
  })
  expect(blocked).toContain('TypeError') // by Trusted Types
  await tab.run(() => document.body.setAttribute('style', 'color: red'))
  await expect.poll(() => tab.run(() => window.complaints)).toContain('style-src-attr')
})
