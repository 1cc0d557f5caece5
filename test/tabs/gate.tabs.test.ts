import { afterEach, describe, expect, it } from 'vitest'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { createStandingClock, isRefusal } from '../createStandingClock.ts'
import { openTabs, startClient, type Tabs } from './tabs.setup.ts'

let openedTabs: Tabs | undefined

afterEach(async () => {
  await openedTabs?.close()
  openedTabs = undefined
})

/** The first request in a cool-down bans the key. */
const ban = { after: 0, grace: 0 }

/** The length of windows that end only when the test advances the clock. */
const hour = 3_600_000

/** Starts a browser, and a service whose clock stands until its first 429. */
async function setup(options: PetstoreServiceOptions) {
  const clock = createStandingClock()
  const service = clock.runAfter(isRefusal, createPetstoreService({ ban, now: clock.now, ...options }))
  const tabs = await openTabs(service)
  openedTabs = tabs
  /** Uses up the quota, as another program with the same key would. */
  const useUp = async (requests: number) => {
    for (let request = 0; request < requests; request += 1) {
      await fetch(`${tabs.baseUrl}/categories`, { headers: { Authorization: 'Bearer demo' } })
    }
  }
  return { service, clock, tabs, useUp }
}

describe('with the store that all tabs share', () => {
  it('4 tabs with 30 calls each, at 20 requests per 2 s, all succeed without a 429', async () => {
    const { service, clock, tabs } = await setup({ plan: [{ limit: 20, per: 2_000 }] })
    clock.run()
    const retry = { maxWait: 300_000 }
    const pages = await Promise.all(Array.from({ length: 4 }, () => tabs.open({ retry })))
    const outcomes = await Promise.all(
      pages.map((page, tab) =>
        page.evaluate(async (number) => {
          const names = Array.from({ length: 30 }, (_, call) => `tab ${number}, call ${call}`)
          const results = await Promise.allSettled(names.map((name) => window.client.createCategory({ name })))
          return results.map((result) => (result.status === 'fulfilled' ? 'succeeded' : String(result.reason)))
        }, tab),
      ),
    )
    expect(outcomes.flat().filter((outcome) => outcome !== 'succeeded')).toEqual([])
    expect(outcomes.flat()).toHaveLength(120)
    const requests = service.requests.filter(({ method }) => method === 'POST')
    expect(requests.filter(({ status }) => status !== 201)).toEqual([])
    expect(requests).toHaveLength(120)
  })

  it('no request leaves in a cool-down after a reload', async () => {
    const { service, clock, tabs, useUp } = await setup({ plan: [{ limit: 3, per: hour }] })
    const page = await tabs.open({ retry: { maxWait: 2 * hour } })
    const startedAt = Date.now()
    await tabs.context.clock.setFixedTime(startedAt)
    // `setFixedTime` leaves `performance` alone. The gate measures cool-downs by both clocks, so they have to agree.
    await tabs.context.addInitScript(() => {
      Object.defineProperty(performance, 'timeOrigin', { get: () => Date.now() - performance.now() })
    })
    await useUp(3)
    await page.evaluate(() => void window.client.listCategories().catch(() => {}))
    await expect.poll(() => service.requests.filter(({ status }) => status === 429)).toHaveLength(1)
    const address = page.url()
    const open = async () => {
      await page.goto(address)
      await startClient(page, { baseUrl: tabs.baseUrl, apiKey: 'demo', retry: { maxWait: 2 * hour } })
    }
    for (let count = 0; count < 3; count += 1) {
      await expect.poll(() => page.evaluate(() => window.client.rateLimit.getSnapshot().status)).toBe('cooling-down')
      await open()
      await page.evaluate(() => {
        window.client.rateLimit.subscribe(() => {})
        void window.client.listCategories().catch(() => {})
      })
    }
    expect(service.requests.filter(({ method }) => method === 'GET')).toHaveLength(4)
    clock.advance(hour)
    await page.goto('about:blank') // In an open page, `performance` would not have moved on with `Date`.
    await tabs.context.clock.setFixedTime(startedAt + hour + 10_000)
    await open()
    const categories = await page.evaluate(() => window.client.listCategories())
    expect(categories.length).toBeGreaterThan(0)
    expect(service.requests.filter(({ status }) => status === 429)).toHaveLength(1)
    expect(service.requests.filter(({ coolingDown, banned }) => coolingDown || banned)).toEqual([])
  })

  it('the cool-down goes on after an app has deleted all databases, as on log-out', async () => {
    const { service, tabs, useUp } = await setup({ plan: [{ limit: 2, per: hour }] })
    const [page, other] = await Promise.all([
      tabs.open({ retry: { maxWait: 0 } }),
      tabs.open({ retry: { maxWait: 0 } }),
    ])
    await useUp(2)
    const list = () => window.client.listCategories().then(String, String)
    expect(await page.evaluate(list)).toContain('rate limit')
    expect(await other.evaluate(list)).toContain('rate limit')
    const outcomes = await other.evaluate(async () => {
      const databases = await indexedDB.databases()
      const deletions = databases.map(
        ({ name = '' }) =>
          new Promise((resolve) => {
            const request = indexedDB.deleteDatabase(name)
            request.onsuccess = () => resolve('deleted')
            request.onblocked = () => resolve('blocked')
          }),
      )
      return Promise.all(deletions)
    })
    expect(outcomes).toEqual(['deleted'])
    expect(await page.evaluate(list)).toContain('rate limit')
    expect(service.requests.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

describe('where storage is blocked', () => {
  it('a tab keeps the gate in memory, and warns once', async () => {
    const { service, clock, tabs } = await setup({ plan: [{ limit: 20, per: 2_000 }] })
    clock.run()
    await tabs.context.addInitScript(() => {
      const block = () => {
        throw new DOMException('Storage is blocked.', 'SecurityError')
      }
      Object.defineProperty(window, 'indexedDB', { value: { open: block } })
    })
    const page = await tabs.open({ retry: { maxWait: 300_000 } })
    const failures = await page.evaluate(async () => {
      const names = Array.from({ length: 50 }, (_, call) => `call ${call}`)
      const results = await Promise.allSettled(names.map((name) => window.client.createCategory({ name })))
      return results.filter(({ status }) => status === 'rejected').length
    })
    expect(failures).toBe(0)
    expect(service.requests.filter(({ method, status }) => method === 'POST' && status !== 201)).toEqual([])
    expect(tabs.warnings.filter((warning) => warning.includes('in memory'))).toHaveLength(1)
  })
})
