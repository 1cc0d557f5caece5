import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../chromium.ts'
import { openWithPlaywright } from '../../engines/openWithPlaywright.ts'
import { openWithWebDriver } from '../../engines/openWithWebDriver.ts'
import { table } from '../generatedKit/table.ts'
import { load, median } from '../runs.ts'
import { engineSituations } from './engineSituations.ts'
import type { PageParameters } from './page.tsx'
import { type BenchServer, startServer } from './server.ts'
import { type Situation, situations } from './situations.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'chromium' },
    runs: { type: 'string', default: '20' },
    browsers: { type: 'string', default: '2' },
  },
})
const wanted = positionals[0] ?? ''
const runs = Number(values.runs)

/** What a situation took with one delay, in ms. */
type Times = Readonly<Record<PageParameters['client'], number[]>>

const most = (times: readonly number[]) => Math.max(...times)

let keys = 0

/** Runs a situation in all browsers at once. Kit and plain `fetch` take turns. */
async function measure<Browser>(
  { responseTime, windowLength = 60, delays = [90], maxRuns = runs, run }: Situation<Browser>,
  browsers: readonly Browser[],
  server: BenchServer,
): Promise<ReadonlyMap<number, Times>> {
  server.responseTime = responseTime
  server.windowLength = windowLength
  const times = new Map<number, Times>(delays.map((delay) => [delay, { kit: [], fetch: [] }]))
  const tasks: { readonly delay: number; readonly client: PageParameters['client'] }[] = []
  for (let round = 0; round < Math.min(runs, maxRuns); round += 1) {
    for (const delay of delays) tasks.push({ delay, client: 'fetch' }, { delay, client: 'kit' })
  }
  await Promise.all(
    browsers.map(async (browser) => {
      for (let task = tasks.shift(); task; task = tasks.shift()) {
        const { delay, client } = task
        times.get(delay)?.[client].push(await run({ browser, server, client, delay, key: `key-${++keys}` }))
      }
    }),
  )
  return times
}

/** Runs the chosen situations, and writes their table. */
async function report<Browser>(all: readonly Situation<Browser>[], browsers: readonly Browser[]): Promise<void> {
  const server = await startServer()
  const missed: string[] = []
  const lines: string[][] = []
  for (const situation of all) {
    if (!situation.name.includes(wanted)) continue
    const times = await measure(situation, browsers, server)
    // The slowest run of plain `fetch` shows what else the machine does.
    const goal = situation.goal(most([...times.values()].flatMap(({ fetch }) => fetch)))
    for (const [delay, { kit, fetch }] of times) {
      const name = situation.delays ? `${situation.name}, after ${delay} ms` : situation.name
      const kept = kit.filter((time) => time <= goal).length
      const figures = [median(fetch), most(fetch), median(kit), most(kit), median(kit) - median(fetch), goal]
      lines.push([name, ...figures.map((figure) => figure.toFixed(0)), `${kept} of ${kit.length}`])
      if (kept < kit.length) missed.push(`${name}: ${kit.length - kept} of ${kit.length} runs`)
    }
  }
  server.close()
  const header = ['in ms', 'fetch: median', 'slowest', 'kit: median', 'slowest', 'added', 'goal', 'within the goal']
  console.log(table(header, lines))
  console.log(missed.length === 0 ? 'Every goal is kept.' : `Missed:\n${missed.map((text) => `- ${text}`).join('\n')}`)
  process.exitCode = missed.length === 0 ? 0 : 1
}

const begin = (version: string) =>
  console.log(`${values.engine} ${version}, ${new Date().toISOString()}, load ${load()}\n`)

async function inChromium(): Promise<void> {
  const profiles = await Promise.all(
    Array.from({ length: Number(values.browsers) }, () => mkdtemp(join(tmpdir(), 'petstore-reloads-'))),
  )
  const options = await chromiumLaunchOptions()
  // As for people, pages are kept for the way back.
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  const contexts = await Promise.all(
    profiles.map((profile) => chromium.launchPersistentContext(profile, { ...options, ignoreDefaultArgs })),
  )
  begin(contexts[0]?.browser()?.version() ?? '')
  await report(situations, contexts)
  for (const context of contexts) await context.close()
  for (const profile of profiles) await rm(profile, { recursive: true, force: true })
}

/** In one browser, since the service is down for all of them. */
async function inEngine(engine: string): Promise<void> {
  const browser = await (engine === 'firefox' ? openWithPlaywright('firefox', {}) : openWithWebDriver({}))
  begin(browser.version)
  await report(engineSituations, [await browser.openTab()])
  await browser.close()
}

await (values.engine === 'chromium' ? inChromium() : inEngine(values.engine))
console.log(`\nLoad at the end: ${load()}`)
