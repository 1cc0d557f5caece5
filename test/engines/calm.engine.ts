import { afterEach, expect, test } from 'vitest'
import type { PetstoreEvent } from '../../src/client.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { serveTabs } from '../tabs/serveTabs.ts'
import type { EngineTab } from './EngineBrowser.ts'
import { openBrowser } from './openBrowser.ts'

declare global {
  interface Window {
    /** The result of the last call of this page, and how many of its requests have failed. */
    result: string | undefined
    lastCall: object
    failures: number
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
      window.result = undefined
      window.failures ??= 0
      const retry = { maxWait }
      const onEvent = ({ type }: PetstoreEvent) => {
        if (type === 'failure') window.failures += 1
      }
      const call = {}
      window.lastCall = call
      const settle = (result: string) => {
        if (window.lastCall === call) window.result = result
      }
      window.petstore
        .createPetstoreClient({ baseUrl, apiKey: 'demo', timeout: 600_000, retry, onEvent })
        .listCategories()
        .then(
          () => settle('listed'),
          (error: unknown) => settle(String(error)),
        )
    },
    url,
    wait,
  )

const result = (tab: EngineTab) => tab.run(() => window.result ?? '')
const failures = (tab: EngineTab) => tab.run(() => window.failures)

test('a page that is reloaded while its first request is out holds nobody back', async () => {
  const { tab, arrived, decide, list: listOnce } = await setup()
  decide('hangs')
  await listOnce(20_000)
  await expect.poll(arrived).toBe(1)
  decide('responds')
  await tab.reload()
  await listOnce(20_000)
  await expect.poll(() => result(tab)).toBe('listed')
})

test('when the browser is back online, a call leaves at once', async () => {
  const { tab, decide, list: listOnce } = await setup()
  await listOnce(0)
  await expect.poll(() => result(tab)).toBe('listed')
  decide('lost')
  // With each failure the pauses grow, until they are longer than the last call waits.
  for (let count = 1; count <= 8; count += 1) {
    const before = await failures(tab)
    await listOnce(120_000)
    await expect.poll(() => failures(tab)).toBeGreaterThan(before)
  }
  decide('responds')
  await tab.run(() => void dispatchEvent(new Event('online')))
  await listOnce(500)
  await expect.poll(() => result(tab)).not.toBe('')
  expect(await result(tab)).toBe('listed')
})
