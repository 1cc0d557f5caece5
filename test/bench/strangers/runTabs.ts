import type { Browser, BrowserContext, Page } from 'playwright'
import type { PageOptions } from './page.ts'
import type { PageEvent } from './reportingFetch.ts'
import type { RunningServer } from './startServer.ts'
import type { ServerLog } from './server.ts'

export type ClientName = PageOptions['client']

/** An event of one load of a page: a reload makes another one. */
export type LoadEvent = PageEvent & { readonly load: string }

export interface Run {
  readonly events: readonly LoadEvent[]
  readonly log: ServerLog
  /** The loads that stayed open: all their calls have to settle. */
  readonly surviving: readonly string[]
}

export const callsPerTab = 12
/** A run is cut off after this time, in ms. */
const maxDuration = 200_000

interface Tab {
  readonly page: Page
  load: string
}

/** 503: by nginx. 0: without CORS headers, a page sees a network error. */
export const isRefusal = (status: number): boolean => status === 429 || status === 503 || status === 0

/**
 * Opens four tabs that make calls, and uses up the limit from elsewhere until a tab is refused. Then one tab reloads and
 * starts anew, and the renderer of another one crashes.
 *
 * @param pageOrigin - another origin than the server's
 */
export async function runTabs(
  browser: Browser,
  pageOrigin: string,
  server: RunningServer,
  client: ClientName,
): Promise<Run> {
  const context = await browser.newContext()
  try {
    const events: LoadEvent[] = []
    const tabs: Tab[] = []
    await context.exposeBinding('report', ({ page }, event: PageEvent) => {
      const tab = tabs.find((other) => other.page === page)
      if (tab) events.push({ ...event, load: tab.load })
    })
    for (const load of ['first', 'second', 'reloaded', 'crashed']) {
      tabs.push({ page: await openPage(context, pageOrigin), load })
    }
    const start = ({ page, load }: Tab) => {
      const options = { baseUrl: `${server.origin}/v1`, client, load, calls: callsPerTab }
      return page.evaluate((given) => window.startCalls(given), options)
    }
    const deadline = Date.now() + maxDuration
    await Promise.all(tabs.map(start))
    const received = (isMatch: (status: number) => boolean) =>
      events.filter((event) => event.type === 'received' && isMatch(event.status)).length
    const isRefused = () => received(isRefusal) > 0
    // Once is not enough if a tab takes the very last unit, and so hears that there are no more.
    while (!isRefused() && Date.now() < deadline) {
      const passed = received((status) => status < 400)
      await until(() => isRefused() || received((status) => status < 400) > passed, deadline)
      await useUp(server.origin)
    }

    const [, , reloaded, crashed] = tabs
    if (!reloaded || !crashed) throw new Error('There are fewer tabs.')
    await Promise.all([crash(crashed.page), reloaded.page.reload()])
    reloaded.load = 'after the reload'
    await start(reloaded)

    const surviving = tabs.filter((tab) => tab !== crashed).map(({ load }) => load)
    const settled = () => events.filter(({ type, load }) => type === 'settled' && surviving.includes(load))
    await until(() => settled().length === surviving.length * callsPerTab, deadline)
    return { events, log: await server.readLog(), surviving }
  } finally {
    await context.close()
  }
}

export async function openPage(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(origin)
  return page
}

/** Ends the renderer, as a tab that runs out of memory. */
export async function crash(page: Page): Promise<void> {
  const crashed = new Promise((resolve) => page.once('crash', resolve))
  const session = await page.context().newCDPSession(page)
  void session.send('Page.crash').catch(() => {})
  await crashed
}

/** Sends requests with the same key from another program, until one is refused. */
export async function useUp(origin: string): Promise<void> {
  const headers = { Authorization: 'Bearer stranger' }
  for (let request = 0; request < 100; request += 1) {
    const { ok } = await fetch(`${origin}/v1/pets/other`, { headers })
    if (!ok) return
  }
  throw new Error('The server has no limit.')
}

async function until(isDone: () => boolean, deadline: number): Promise<void> {
  while (!isDone() && Date.now() < deadline) await new Promise((resolve) => void setTimeout(resolve, 10))
}
