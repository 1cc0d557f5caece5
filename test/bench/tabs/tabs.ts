import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from 'playwright'
import { choose } from '../../choose.ts'
import { chromiumLaunchOptions } from '../../chromium.ts'
import { table } from '../table.ts'
import { load, median } from '../statistics.ts'
import type { PageParameters } from './page.tsx'
import { startServer } from './server.ts'

type Shares = PageParameters['shares']

/** How often tabs poll, in ms, and for how many intervals their GETs are counted. */
const interval = 2_000
const rounds = 10
const writes = 5

const writeTime = (ms = Number.NaN) => (Number.isFinite(ms) ? `${ms.toFixed(0)} ms` : 'not within 1 s')

let keys = 0

/** Pages of one browser profile, with a key of their own. */
interface Group {
  readonly open: (interval?: number) => Promise<Page>
  /** How many GETs the service has got. */
  readonly gets: () => number
}

async function inGroup(shares: Shares, run: (group: Group) => Promise<string>): Promise<string> {
  keys += 1
  const key = `key-${keys}`
  const context = await browser.newContext()
  const result = await run({
    gets: () => server.getsOf(key),
    open: async (pollInterval = 0) => {
      const page = await context.newPage()
      const parameters = { key, interval: String(pollInterval), shares } satisfies PageParameters
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
    const page = await group.open(pollInterval)
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
    const gets = group.gets() - before
    return `${gets} (${(gets / (4 * rounds)).toFixed(2)} ×)`
  })

/** How many GETs six tabs send that open one after the other, and how long the last five take to show everything (ms). */
const opening = (shares: Shares) =>
  inGroup(shares, async (group) => {
    const times: number[] = []
    for (const page of await openAll(group, 6)) times.push(await readyTime(page))
    return `${group.gets()}; rows after ${writeTime(times[0])}, then ${writeTime(median(times.slice(1)))}`
  })

/** How many GETs six tabs send that open at the same moment, as when a browser starts. */
const openingAtOnce = (shares: Shares) =>
  inGroup(shares, async (group) => {
    const pages = await Promise.all(Array.from({ length: 6 }, () => group.open()))
    await Promise.all(pages.map(isReady))
    await sleep(1_000)
    return String(group.gets())
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
    return String(group.gets() - before)
  })

/** How long five tabs take to show what a sixth one creates, from when that one shows it (ms), and how many GETs it costs. */
const writing = (shares: Shares) =>
  inGroup(shares, async (group) => {
    const pages = await openAll(group, 6)
    const before = group.gets()
    const times: number[] = []
    for (let run = 0; run < writes; run += 1) {
      const name = `Hamster ${run}`
      await pages[0]?.evaluate((created) => window.create(created), name)
      await sleep(1_000)
      const [start = 0, ...ends] = await Promise.all(
        pages.map((page) => page.evaluate((shown) => window.firstShownAt[shown] ?? Infinity, name)),
      )
      times.push(...ends.map((end) => end - start))
    }
    return `${writeTime(median(times))}, ${writeTime(Math.max(...times))}; ${group.gets() - before} GETs`
  })

const measures: readonly (readonly [name: string, run: (shares: Shares) => Promise<string>])[] = [
  ...[1, 2, 6, 20].map(
    (count) => [`${count} polling: GETs of four operations in ten intervals`, polling(count)] as const,
  ),
  ['six open one after the other: GETs', opening],
  ['six open at once: GETs', openingAtOnce],
  ['switching through six after 31 s: GETs', switching],
  ['a write is seen in five others: median, slowest', writing],
]

const chosen = choose(measures, process.argv.slice(2), ([name]) => name)
const server = await startServer()
const browser = await chromium.launch(await chromiumLaunchOptions())
console.log(`Chromium ${browser.version()}, ${new Date().toISOString()}, load ${load()}\n`)

const lines: string[][] = []
for (const [name, run] of chosen) {
  const line = [name, await run('no'), await run('yes')]
  console.log(line.join(' | '))
  lines.push(line)
}

console.log(`\n${table(['', 'shareResponses={false}', 'shared'], lines)}`)
console.log(`\nLoad at the end: ${load()}`)
await browser.close()
server.close()
