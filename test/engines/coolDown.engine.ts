import { networkInterfaces } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { createStandingClock, isRefusal } from '../createStandingClock.ts'
import { serveTabs } from '../tabs/serveTabs.ts'
import type { EngineBrowserOptions, EngineTab } from './EngineBrowser.ts'
import { openBrowser } from './openBrowser.ts'

declare global {
  interface Window {
    /** The results of calls that a test does not wait for. */
    outcomes: string[]
    warnings: string[]
    /** Whether the browser restored the page from its back-forward cache. */
    isRestored?: boolean
  }
}

interface Setup extends EngineBrowserOptions {
  readonly plan: NonNullable<PetstoreServiceOptions['plan']>
  readonly latency?: number
  /** Where the service and the pages are. Default `127.0.0.1`. */
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The length of quota windows that do not end during a test, in ms. */
const hour = 3_600_000

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

/** A browser, and a service that has counted two requests. Its clock stands until its first 429. */
async function setup({ plan, latency = 0, host = '127.0.0.1', headers = {}, ...options }: Setup) {
  const clock = createStandingClock()
  const service = clock.runAfter(
    isRefusal,
    createPetstoreService({ plan, latency, ban: { after: 0, grace: 0 }, now: clock.now }),
  )
  const { baseUrl, close } = await listen(service, { host })
  endings.push(close)
  const pages = await serveTabs({ host, headers })
  endings.push(pages.close)
  const browser = await openBrowser(options)
  endings.push(browser.close)
  // They use up the plans with a limit of two.
  for (let request = 0; request < 2; request += 1) {
    await fetch(`${baseUrl}/categories`, { headers: { Authorization: 'Bearer demo' } })
  }

  const start = (tab: EngineTab, maxWait: number) =>
    tab.run(
      (url, wait) => {
        window.warnings = []
        window.outcomes = []
        const { warn } = console
        console.warn = (...values: unknown[]) => {
          window.warnings.push(values.join(' '))
          warn(...values)
        }
        window.client = window.petstore.createPetstoreClient({ baseUrl: url, apiKey: 'demo', retry: { maxWait: wait } })
        window.client.rateLimit.subscribe(() => {})
      },
      baseUrl,
      maxWait,
    )
  return {
    service,
    pages,
    start,
    /** Opens a page whose client is `window.client`. */
    open: async (maxWait = 0) => {
      const tab = await browser.openTab()
      await tab.open(pages.origin)
      await start(tab, maxWait)
      return tab
    },
    refused: () => service.requests.filter(({ status }) => status === 429).length,
    tooEarly: () => service.requests.filter(({ coolingDown, banned }) => coolingDown || banned),
  }
}

/** Lists the categories. Resolves with `listed`, or with the kind of the error. */
const list = (tab: EngineTab) =>
  tab.run(async () =>
    window.client.listCategories().then(
      () => 'listed',
      (error: unknown) => (window.petstore.isPetstoreError(error) ? error.kind : String(error)),
    ),
  )

/** Lists the categories without waiting: the result goes to `window.outcomes`. */
const beginList = (tab: EngineTab) =>
  tab.run(() => {
    window.client.listCategories().then(
      () => window.outcomes.push('listed'),
      (error: unknown) => window.outcomes.push(String(error)),
    )
  })

const status = (tab: EngineTab) => tab.run(() => window.client.rateLimit.getSnapshot().status)

test.each([
  ['a window', false],
  ['a private window', true],
])('in %s, four tabs and a reload send nothing in a cool-down', async (_, isPrivate) => {
  const { open, pages, start, refused, tooEarly } = await setup({ plan: [{ limit: 2, per: hour }], isPrivate })
  const tabs = []
  for (let count = 0; count < 4; count += 1) tabs.push(await open())
  const [first, second] = tabs
  if (!first || !second) throw new Error('There are no tabs.')
  expect(await list(first)).toBe('rate-limit')
  for (const tab of tabs) {
    await expect.poll(() => status(tab)).toBe('cooling-down')
    expect(await list(tab)).toBe('rate-limit')
  }
  await second.reload()
  await start(second, 0)
  expect(await list(second)).toBe('rate-limit')
  await second.open(`${pages.origin}/another`)
  await start(second, 0)
  expect(await list(second)).toBe('rate-limit')
  expect(await second.run(() => window.warnings)).toEqual([])
  expect(refused()).toBe(1)
  expect(tooEarly()).toEqual([])
})

test('where the browser refuses IndexedDB, the page keeps the gate in memory, and warns once', async () => {
  const { open, refused, tooEarly } = await setup({
    plan: [{ limit: 2, per: hour }],
    headers: { 'Content-Security-Policy': 'sandbox allow-scripts' }, // an opaque origin, which has no IndexedDB
  })
  const tab = await open()
  const refusal = await tab.run(() => {
    try {
      indexedDB.open('any')
      return 'none'
    } catch (error) {
      return error instanceof DOMException ? error.name : String(error)
    }
  })
  expect(refusal).toBe('SecurityError')
  expect(await list(tab)).toBe('rate-limit')
  expect(await list(tab)).toBe('rate-limit')
  expect(await tab.run(() => window.warnings)).toEqual([expect.stringContaining('in memory')])
  expect(refused()).toBe(1)
  expect(tooEarly()).toEqual([])
})

/** An address of this machine that is an insecure origin over http, which `127.0.0.1` is not. */
const insecureHost = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

test.skipIf(!insecureHost)('on an insecure origin, the page keeps the gate in memory', async () => {
  const { open, refused, tooEarly } = await setup({ plan: [{ limit: 2, per: hour }], host: insecureHost ?? '' })
  const tab = await open()
  expect(await tab.run(() => [isSecureContext, typeof crypto.subtle])).toEqual([false, 'undefined'])
  expect(await list(tab)).toBe('rate-limit')
  expect(await list(tab)).toBe('rate-limit')
  expect(refused()).toBe(1)
  expect(tooEarly()).toEqual([])
})

test('a page that people reach with back or forward in a cool-down sends nothing', async () => {
  const { open, pages, start, refused, tooEarly } = await setup({ plan: [{ limit: 2, per: hour }] })
  const tab = await open(2 * hour)
  await tab.run(() => {
    addEventListener('pageshow', ({ persisted }) => {
      window.isRestored = persisted
    })
  })
  await beginList(tab)
  await expect.poll(() => status(tab)).toBe('cooling-down')
  expect(refused()).toBe(1)
  /** Resolves when the page at this path is there, loaded again or restored. */
  const arriveAt = async (path: string) => {
    const place = () => tab.run(() => [location.pathname, typeof window.petstore]).catch(() => undefined)
    await expect.poll(place).toEqual([path, 'object'])
  }
  await tab.open(`${pages.origin}/next`)
  await start(tab, 0)
  expect(await list(tab)).toBe('rate-limit')

  await tab.run(() => void setTimeout(() => history.back()))
  await arriveAt('/')
  // Playwright's Chromium loads the page again; the others bring back the old one with its client and its waiting call.
  const expected = process.env['ENGINE'] === 'chromium' ? 'no client' : 'cooling-down'
  const restored = () => tab.run(() => (window.isRestored ? window.client.rateLimit.getSnapshot().status : 'no client'))
  await expect.poll(restored).toBe(expected)
  if (expected === 'cooling-down') await beginList(tab)
  await start(tab, 0)
  expect(await list(tab)).toBe('rate-limit')
  await tab.run(() => void setTimeout(() => history.forward()))
  await arriveAt('/next')
  if (!(await tab.run(() => 'client' in window))) await start(tab, 0)
  expect(await list(tab)).toBe('rate-limit')
  expect(refused()).toBe(1)
  expect(tooEarly()).toEqual([])
})

test('a page in the back/forward cache with a request in flight does not block the next page', async () => {
  const { open, pages, start } = await setup({ plan: [{ limit: 60, per: hour }], latency: 1_000 })
  const tab = await open(hour)
  await beginList(tab)
  const pagesInRecord = () => tab.run(() => Object.values(window.client.rateLimit.inspect().record.pages).length)
  await expect.poll(pagesInRecord).toBe(1)
  await tab.open(`${pages.origin}/next`)
  await start(tab, hour)
  expect(await list(tab)).toBe('listed')
  expect(await tab.run(() => window.warnings)).toEqual([])
})

test('a tab in the background sends nothing in a cool-down, and succeeds after it', async () => {
  const { open, service, refused, tooEarly } = await setup({ plan: [{ limit: 2, per: 3_000 }] })
  await open()
  const tab = await open(300_000)
  await beginList(tab)
  await expect.poll(() => refused()).toBe(1)
  const end = Date.now() + 4_000 // after the window of 3 s
  await tab.hide()
  await expect.poll(() => Date.now(), { timeout: 10_000 }).toBeGreaterThan(end)
  await tab.show()
  await expect.poll(() => tab.run(() => window.outcomes), { timeout: 30_000 }).toEqual(['listed'])
  expect(refused()).toBe(1)
  expect(tooEarly()).toEqual([])
  expect(service.requests.at(-1)?.status).toBe(200)
})
