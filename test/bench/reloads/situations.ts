import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright'
import type { PageParameters } from './page.tsx'
import type { BenchServer } from './server.ts'

/** One run of a situation in a browser. */
export interface Visit<Browser> {
  readonly browser: Browser
  readonly server: BenchServer
  readonly client: PageParameters['client']
  /** Of this run alone. */
  readonly key: string
  /** How long after its request has left a page ends, in ms. */
  readonly delay: number
}

export interface Situation<Browser> {
  readonly name: string
  /** How long a response takes, in ms. */
  readonly responseTime: number
  /** How long a window lasts, in s. Default 60. */
  readonly windowLength?: number
  /** The times after which a page ends, in ms. Default: 90. */
  readonly delays?: readonly number[]
  /** How many runs at most: for those that take long. */
  readonly maxRuns?: number
  /** How long it may take, given what it takes with plain `fetch` (ms). */
  readonly goal: (plain: number) => number
  /** Resolves with what it takes, in ms. */
  readonly run: (visit: Visit<Browser>) => Promise<number>
}

type ChromiumVisit = Visit<BrowserContext>

/** Longer than the longest wait. */
export const timeout = 100_000
export const everyDelay = [0, 30, 60, 90, 120, 150, 180, 210, 250]

export const urlOf = ({ server, client, key }: Visit<unknown>, view: PageParameters['view']) =>
  `${server.origin}/?${new URLSearchParams({ client, view, key })}`

async function open(visit: ChromiumVisit, view: PageParameters['view']): Promise<Page> {
  const page = await visit.browser.newPage()
  await page.goto(urlOf(visit, view), { waitUntil: 'commit' })
  return page
}

/** Resolves with the time from the start of the navigation until everything was shown, in ms. */
async function shown(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => window.shownAt, undefined, { timeout, polling: 20 })
  return (await handle.jsonValue()) ?? Number.NaN
}

/** Opens a page, ends it while its request is out, and measures the next one. */
function afterEnding(
  isKnown: boolean,
  end: (page: Page, visit: ChromiumVisit) => Promise<Page>,
): Situation<BrowserContext>['run'] {
  return async (visit) => {
    if (isKnown) {
      const earlier = await open(visit, 'list')
      await shown(earlier)
      await earlier.close()
    }
    const page = await open(visit, 'list')
    await visit.server.arrivals(visit.key, isKnown ? 2 : 1)
    await sleep(visit.delay)
    const next = await end(page, visit)
    const time = await shown(next)
    await next.close()
    return time
  }
}

async function reload(page: Page): Promise<Page> {
  await page.reload({ waitUntil: 'commit' })
  return page
}

async function followLink(page: Page, visit: ChromiumVisit): Promise<Page> {
  const url = `${urlOf(visit, 'list')}&page=next`
  await Promise.all([page.waitForURL(url, { waitUntil: 'commit' }), page.evaluate((to) => location.assign(to), url)])
  return page
}

async function reopen(page: Page, visit: ChromiumVisit): Promise<Page> {
  await page.close()
  return open(visit, 'list')
}

/** Ends the renderer, as a tab that runs out of memory. */
async function crash(page: Page, visit: ChromiumVisit): Promise<Page> {
  const crashed = new Promise((resolve) => page.once('crash', resolve))
  const session = await visit.browser.newCDPSession(page)
  void session.send('Page.crash').catch(() => {})
  await crashed
  const next = await open(visit, 'list')
  await page.close()
  return next
}

async function replaceWorker(visit: ChromiumVisit): Promise<number> {
  const page = await open(visit, 'nothing')
  await page.waitForLoadState()
  const time = await page.evaluate((delay) => window.replaceWorker(delay), visit.delay)
  await page.close()
  return time
}

async function comeBackOnline(visit: ChromiumVisit): Promise<number> {
  const page = await open(visit, 'nothing')
  await page.waitForLoadState()
  await page.evaluate(() => window.poll())
  await visit.server.arrivals(visit.key, 1)
  const session = await visit.browser.newCDPSession(page)
  const setOffline = (offline: boolean) =>
    session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
  await session.send('Network.enable')
  await setOffline(true)
  await sleep(36_000)
  await setOffline(false)
  const handle = await page.waitForFunction(() => window.backAfter, undefined, { timeout, polling: 20 })
  const time = await handle.jsonValue()
  await page.close()
  return time ?? Number.NaN
}

async function loadWidgets(visit: ChromiumVisit): Promise<number> {
  const page = await open(visit, 'widgets')
  const time = await shown(page)
  await page.close()
  return time
}

/** A page loads six widgets. A while after its window has ended, another one does. */
async function loadWidgetsInNextWindow(visit: ChromiumVisit): Promise<number> {
  await loadWidgets(visit)
  await sleep((visit.server.windowLength + 3) * 1_000)
  return loadWidgets(visit)
}

/** One response, and a little. */
export const soon = (plain: number) => plain + 100

/** What happens to pages of Chromium. */
export const situations: readonly Situation<BrowserContext>[] = [
  ...(['first visit', 'known window'] as const).map(
    (known): Situation<BrowserContext> => ({
      name: `reload, ${known}`,
      responseTime: 600,
      delays: everyDelay,
      goal: soon,
      run: afterEnding(known === 'known window', reload),
    }),
  ),
  { name: 'link, first visit', responseTime: 600, goal: soon, run: afterEnding(false, followLink) },
  { name: 'closed and reopened tab, first visit', responseTime: 600, goal: soon, run: afterEnding(false, reopen) },
  { name: 'crash, first visit', responseTime: 600, goal: (plain) => plain + 2_000, run: afterEnding(false, crash) },
  { name: 'worker.terminate(), first visit', responseTime: 600, goal: soon, run: replaceWorker },
  { name: 'wifi back after 36 s', responseTime: 0, maxRuns: 5, goal: soon, run: comeBackOnline },
  {
    name: 'six widgets, first visit',
    responseTime: 300,
    goal: (plain) => Math.min(plain * 2.1, plain + 1_000),
    run: loadWidgets,
  },
  {
    name: 'six widgets, the last window ended with units left',
    responseTime: 300,
    windowLength: 3,
    goal: (plain) => plain * 1.1,
    run: loadWidgetsInNextWindow,
  },
]
