import { afterEach, describe, expect, it } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { createStandingClock, isRefusal } from '../createStandingClock.ts'
import { listInWorker, openTabs, startWorker, type Tabs, type WorkerKind } from './tabs.setup.ts'

let openedTabs: Tabs | undefined

afterEach(async () => {
  await openedTabs?.close()
  openedTabs = undefined
})

/** Opens a page. The service has no unit left until its window ends, `cooldown` ms after the first 429. */
async function openExhausted(kind: WorkerKind, cooldown: number) {
  const clock = createStandingClock()
  const service = clock.runAfter(
    isRefusal,
    createPetstoreService({ plan: [{ limit: 2, per: cooldown }], ban: { after: 0, grace: 0 }, now: clock.now }),
  )
  const tabs = await openTabs(service)
  openedTabs = tabs
  const page = await tabs.open({ retry: { maxWait: 0 } })
  const start = (maxWait: number) =>
    startWorker(page, kind, { baseUrl: tabs.baseUrl, apiKey: 'demo', retry: { maxWait } })
  const listOnPage = () =>
    page.evaluate(() =>
      window.client.listCategories().then(
        ({ length }) => length,
        (error: unknown) => (window.petstore.isPetstoreError(error) ? error.kind : String(error)),
      ),
    )
  for (let request = 0; request < 2; request += 1) {
    await fetch(`${tabs.baseUrl}/categories`, { headers: { Authorization: 'Bearer demo' } })
  }
  const refused = () => service.requests.filter(({ status }) => status === 429).length
  return { service, page, start, listOnPage, refused }
}

describe.each<WorkerKind>(['dedicated', 'shared', 'service'])('a %s worker', (kind) => {
  it('waits for the cool-down that the page has met', async () => {
    const { service, page, start, listOnPage, refused } = await openExhausted(kind, 3_000)
    await start(60_000)
    expect(await listOnPage()).toBe('rate-limit')
    expect(refused()).toBe(1)
    expect(await listInWorker(page, kind)).toBeGreaterThan(0)
    expect(refused()).toBe(1)
    expect(service.requests.filter(({ coolingDown }) => coolingDown)).toEqual([])
  })

  it('tells the page of the cool-down that it has met', async () => {
    const { page, start, listOnPage, refused } = await openExhausted(kind, 60_000)
    await page.evaluate(() => void window.client.rateLimit.subscribe(() => {}))
    await start(0)
    expect(await listInWorker(page, kind)).toBe('rate-limit')
    await expect.poll(() => page.evaluate(() => window.client.rateLimit.getSnapshot().status)).toBe('cooling-down')
    expect(await listOnPage()).toBe('rate-limit')
    expect(refused()).toBe(1)
  })
})
