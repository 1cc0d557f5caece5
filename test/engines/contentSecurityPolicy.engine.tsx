import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { createPetstoreClient, prefetchQuery, operations } from '../../src/client.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { App, type AppProps } from '../pages/App.tsx'
import { servePage } from '../pages/servePage.ts'
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

const policy = (origin: string) =>
  [
    "default-src 'self'",
    "style-src 'self'",
    "script-src 'self'",
    `connect-src 'self' ${origin}`,
    "require-trusted-types-for 'script'",
  ].join('; ')

/** A page from a server, under the policy. */
async function openApp(markup: (props: AppProps) => string) {
  const service = createPetstoreService({ categories: 450 })
  const server = await listen(service)
  endings.push(server.close)
  const { baseUrl, quickstartBaseUrl, origin } = server
  const client = createPetstoreClient({ baseUrl, quickstartBaseUrl, apiKey: 'demo', scope: 'page' })
  const props = { baseUrl, quickstartBaseUrl, fallback: await prefetchQuery(client, operations.listCategories) }
  const served = await servePage({
    entry: '../engines/watchedPage.ts',
    headers: { 'Content-Security-Policy': policy(origin) },
    html: ({ script, styles }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pets</title><link rel="stylesheet" href="${styles}">
<link rel="icon" href="${styles}"></head><body><div id="root">${markup(props)}</div>
<script type="application/json" id="data">${JSON.stringify(props)}</script>
<script type="module" src="${script}"></script></body></html>`,
  })
  endings.push(served.close)
  const browser = await openBrowser()
  endings.push(browser.close)
  const tab = await browser.openTab()
  await tab.open(served.url)
  return { service, tab }
}

test('under a strict policy with Trusted Types everything works, from the server’s HTML on', async () => {
  const { service, tab } = await openApp((props) => renderToString(<App {...props} />))
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
  const { tab } = await openApp((props) => `${renderToString(<App {...props} />)}<p style="color: red">Styled</p>`)
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
