import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright'
import { table } from '../table.ts'
import { type BenchBrowser, launchBrowser } from '../launchBrowser.ts'
import { load, median } from '../runs.ts'
import type { PageParameters } from './page.tsx'
import { startServer } from './server.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { browser: { type: 'string', default: 'chromium' }, runs: { type: 'string', default: '5' } },
})
const browserName: BenchBrowser = values.browser === 'firefox' ? 'firefox' : 'chromium'
const runs = Number(values.runs)

type Shares = PageParameters['shares']

/** ms. */
const interval = 2_000
const rounds = 10

const server = await startServer()
const browser = await launchBrowser(browserName)
console.log(`${browserName} ${browser.version()}, ${new Date().toISOString()}, load ${load()}\n`)

let keys = 0

/** Pages of one browser profile, with a key of their own. */
interface Group {
  readonly key: string
  readonly open: (tab: number, interval?: number) => Promise<Page>
  /** How many GETs the service has got. */
  readonly gets: () => number
  readonly context: BrowserContext
}

async function inGroup<Result>(shares: Shares, run: (group: Group) => Promise<Result>): Promise<Result> {
  keys += 1
  const key = `key-${keys}`
  const context = await browser.newContext()
  const result = await run({
    key,
    context,
    gets: () => server.gets.filter((get) => get.key === key).length,
    open: async (tab, pollInterval = 0) => {
      const page = await context.newPage()
      const parameters = { key, tab: String(tab), interval: String(pollInterval), shares } satisfies PageParameters
      await page.goto(`${server.origin}/?${new URLSearchParams(parameters)}`)
      return page
    },
  })
  await context.close()
  return result
}

const isReady = (page: Page) => page.waitForFunction(() => window.readyAt !== undefined)
const readyTime = (page: Page) => page.evaluate(() => window.readyAt ?? Number.NaN)

async function openAll(group: Group, count: number, pollInterval?: number): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (let tab = 1; tab <= count; tab += 1) {
    const page = await group.open(tab, pollInterval)
    await isReady(page)
    pages.push(page)
  }
  return pages
}

/** How many GETs the tabs send in ten intervals. */
const polling = (count: number) => (shares: Shares) =>
  inGroup(shares, async (group) => {
    await openAll(group, count, interval)
    await sleep(interval)
    const before = group.gets()
    await sleep(rounds * interval)
    return group.gets() - before
  })

/** How many GETs six tabs send that open one after the other, and how long the last five take to show everything (ms). */
const opening = (shares: Shares) =>
  inGroup(shares, async (group) => {
    const times: number[] = []
    for (const page of await openAll(group, 6)) times.push(await readyTime(page))
    return { gets: group.gets(), first: times[0] ?? Number.NaN, others: median(times.slice(1)) }
  })

/** How many GETs six tabs send that open at the same moment, as when a browser starts. */
const openingAtOnce = (shares: Shares) =>
  inGroup(shares, async (group) => {
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((tab) => group.open(tab)))
    await Promise.all(pages.map(isReady))
    await sleep(1_000)
    return group.gets()
  })

/** How many GETs it takes to switch through six tabs, which loaded more than 30 s ago. */
const switching = (shares: Shares) =>
  inGroup(shares, async (group) => {
    const pages = await openAll(group, 6)
    await sleep(31_000)
    const before = group.gets()
    for (const page of pages) {
      await page.evaluate(() => dispatchEvent(new Event('focus')))
      await sleep(500)
    }
    return group.gets() - before
  })

/** How long five tabs take to show what a sixth one creates, from when that one shows it (ms), and how many GETs it costs. */
const writing = (shares: Shares) =>
  inGroup(shares, async (group) => {
    const pages = await openAll(group, 6)
    const before = group.gets()
    const times: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const name = `Hamster ${run}`
      await pages[0]?.evaluate((created) => window.create(created), name)
      await sleep(1_000)
      const [start = 0, ...ends] = await Promise.all(
        pages.map((page) => page.evaluate((shown) => window.firstShownAt[shown] ?? Infinity, name)),
      )
      times.push(...ends.map((end) => end - start))
    }
    return { times, gets: group.gets() - before }
  })

/** How late the next poll is after that tab of three is closed or frozen which has asked last, as a part of the interval. */
const endOnce = (end: (page: Page, group: Group) => Promise<() => Promise<unknown>>, shares: Shares) =>
  inGroup(shares, async (group) => {
    const pages = await openAll(group, 3, interval)
    await sleep(2 * interval)
    const polls = () => server.gets.filter(({ key, name }) => key === group.key && name === 'categories')
    const last = polls().at(-1)
    const page = pages[Number(last?.tab) - 1]
    if (!last || !page) throw new Error('Nobody has polled.')
    const restore = await end(page, group)
    await sleep(2 * interval)
    const next = polls().find(({ at, tab }) => at > last.at && tab !== last.tab)
    if (polls().some(({ at, tab }) => at > last.at && tab === last.tab)) throw new Error('The tab has not ended.')
    await restore()
    return ((next?.at ?? Infinity) - last.at) / interval - 1
  })

const ending = (end: Parameters<typeof endOnce>[0]) => async (shares: Shares) => {
  const late: number[] = []
  for (let run = 0; run < runs; run += 1) late.push(await endOnce(end, shares))
  return late
}

async function close(page: Page) {
  await page.close()
  return async () => {}
}

async function freeze(page: Page, { context }: Group) {
  const session = await context.newCDPSession(page)
  // Chromium freezes hidden pages only, and Playwright hides none. A page that is paused runs no script either, nor do
  // others of its process: of three pages, each has its own.
  await session.send('Debugger.enable')
  await session.send('Debugger.pause')
  return () => session.send('Debugger.disable')
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const time = (ms: number) => (Number.isFinite(ms) ? `${ms.toFixed(0)} ms` : 'not within 1 s')
const worst = (all: readonly number[]) => Math.max(...all)

const lines: string[][] = []
async function measure<Result>(
  name: string,
  run: (shares: Shares) => Promise<Result>,
  write: (result: Result) => string,
): Promise<void> {
  if (positionals.length > 0 && !positionals.some((wanted) => name.includes(wanted))) return
  const line = [name, write(await run('no')), write(await run('yes'))]
  console.log(line.join(' | '))
  lines.push(line)
}

for (const count of [1, 2, 6, 20]) {
  const one = 4 * rounds
  await measure(`${count} polling: GETs of four operations in ten intervals`, polling(count), (gets) => {
    return `${gets} (${(gets / one).toFixed(2)} ×)`
  })
}
await measure('six open one after the other: GETs', opening, ({ gets, first, others }) => {
  return `${gets}; rows after ${time(first)}, then ${time(others)}`
})
await measure('six open at once: GETs', openingAtOnce, String)
await measure('switching through six after 31 s: GETs', switching, String)
await measure('a write is seen in five others: median, slowest', writing, ({ times, gets }) => {
  return `${time(median(times))}, ${time(worst(times))}; ${gets} GETs`
})
await measure('the tab that asks is closed: latest next poll', ending(close), (late) => percent(worst(late)))
if (browserName === 'chromium') {
  await measure('the tab that asks is frozen: latest next poll', ending(freeze), (late) => percent(worst(late)))
}

console.log(`\n${table(['', 'shareResponses={false}', 'shared'], lines)}`)
console.log(`\nLoad at the end: ${load()}`)
await browser.close()
server.close()
