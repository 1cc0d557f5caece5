import { afterEach, expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { serveTabs } from '../tabs/serveTabs.ts'
import type { EngineTab } from './EngineBrowser.ts'
import { openBrowser } from './openBrowser.ts'

declare global {
  interface Window {
    /** The results of the calls of this page. */
    results: string[]
  }
}

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

/** A browser beside a service whose responses to GETs the test decides. */
async function setup() {
  const service = createPetstoreService()
  let fate: 'responds' | 'hangs' | 'lost' = 'responds'
  let arrived = 0
  const { baseUrl, close } = await listen({
    ...service,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method !== 'GET') return service.fetch(request)
      arrived += 1
      if (fate === 'hangs') return new Promise<never>(() => {})
      if (fate === 'lost') throw new Error('The connection is lost.')
      return service.fetch(request)
    },
  })
  endings.push(close)
  const pages = await serveTabs()
  endings.push(pages.close)
  const browser = await openBrowser()
  endings.push(browser.close)
  const tab = await browser.openTab()
  await tab.open(pages.origin)
  return {
    tab,
    /** How many GETs have arrived. */
    arrived: () => arrived,
    decide: (next: typeof fate) => {
      fate = next
    },
    /** Lists the categories with a new client that waits that long at most (ms). */
    list: (maxWait: number) => list(tab, baseUrl, maxWait),
  }
}

/** A request counts as in flight for longer than any call waits. */
const list = (tab: EngineTab, url: string, wait: number) =>
  tab.run(
    (baseUrl, maxWait) => {
      window.results ??= []
      const retry = { maxWait }
      window.petstore
        .createPetstoreClient({ baseUrl, apiKey: 'demo', timeout: 600_000, retry })
        .listCategories()
        .then(
          () => window.results.push('listed'),
          (error: unknown) => window.results.push(String(error)),
        )
    },
    url,
    wait,
  )

const results = (tab: EngineTab) => tab.run(() => window.results)

test('a page that is reloaded while its first request is out holds nobody back', async () => {
  const { tab, arrived, decide, list: listOnce } = await setup()
  decide('hangs')
  await listOnce(20_000)
  await expect.poll(arrived).toBe(1)
  decide('responds')
  await tab.reload()
  await listOnce(20_000)
  await expect.poll(() => results(tab)).toEqual(['listed'])
})

test('when the browser is back online, a call leaves at once', async () => {
  const { tab, decide, list: listOnce } = await setup()
  await listOnce(0)
  await expect.poll(() => results(tab)).toEqual(['listed'])
  decide('lost')
  // Long enough for pauses of several seconds.
  const end = Date.now() + 36_000
  while (Date.now() < end) {
    await listOnce(120_000)
    await new Promise((resolve) => void setTimeout(resolve, 3_000))
  }
  decide('responds')
  await tab.run(() => {
    window.results = []
    dispatchEvent(new Event('online'))
  })
  await listOnce(1_000)
  await expect.poll(() => results(tab)).toContain('listed')
  expect(await results(tab)).not.toContainEqual(expect.stringContaining('rate limit'))
})
