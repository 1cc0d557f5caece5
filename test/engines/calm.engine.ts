import { afterEach, expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { serveTabs } from '../tabs/serveTabs.ts'
import type { EngineTab } from './EngineBrowser.ts'
import { openBrowser } from './openBrowser.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

/** Lists with a new client. If a lost request counted as in flight until its `timeout`, the call would reject. */
const beginList = (tab: EngineTab, url: string) =>
  tab.run((baseUrl) => {
    window.outcomes = []
    window.petstore
      .createPetstoreClient({ baseUrl, apiKey: 'demo', timeout: 600_000, retry: { maxWait: 20_000 } })
      .listCategories()
      .then(
        () => window.outcomes.push('listed'),
        (error: unknown) => window.outcomes.push(String(error)),
      )
  }, url)

test('the next page lists within 20 s after a reload during the first request, which gets no response', async () => {
  const service = createPetstoreService()
  let arrived = 0
  const { baseUrl, close } = await listen({
    ...service,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method === 'GET') arrived += 1
      return arrived === 1 && request.method === 'GET' ? new Promise<never>(() => {}) : service.fetch(request)
    },
  })
  endings.push(close)
  const pages = await serveTabs()
  endings.push(pages.close)
  const browser = await openBrowser()
  endings.push(browser.close)
  const tab = await browser.openTab()
  await tab.open(pages.origin)
  await beginList(tab, baseUrl)
  await expect.poll(() => arrived).toBe(1)
  await tab.reload()
  await beginList(tab, baseUrl)
  await expect.poll(() => tab.run(() => window.outcomes)).toEqual(['listed'])
})
