import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright'
import { chromiumLaunchOptions } from '../../chromium.ts'
import { judge, tolerance } from './judge.ts'
import type { CallCounts } from './longRunPage.tsx'
import type { PageEvent } from './reportingFetch.ts'
import { crash, type LoadEvent, openPage, useUp } from './runTabs.ts'
import { servePage } from './servePage.ts'
import { type RunningServer, startServer } from './startServer.ts'
import { table } from './table.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '120' }, seed: { type: 'string', default: '1' } },
})
const minute = 60_000
const duration = Number(values.minutes) * minute
const tabCount = 4
/** The longest time until all calls of a page have settled, in ms: they wait 180 s at the longest. */
const settleTime = 200_000
/** Between two incidents, in ms. */
const incidentPause = { min: 10_000, max: 50_000 }
const frozenTime = 20_000
/** How often the memory of the first tab is read. It is never reloaded. */
const readings = 24
/** What memory may grow by, from the second quarter of the run to the last. */
const maxGrowth = 1.1

/** What the first tab holds after a garbage collection. */
interface Memory {
  readonly minutes: number
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
}

interface Tab {
  page: Page
}

/** Mulberry32: 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function readMemory(session: CDPSession, minutes: number): Promise<Memory> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((other) => other.name === name)?.value ?? Number.NaN
  return { minutes, heap: metric('JSHeapUsedSize'), nodes: metric('Nodes'), listeners: metric('JSEventListeners') }
}

const incidents = ['reload', 'reload', 'reload', 'crash', 'close', 'freeze', 'used up elsewhere'] as const
type Incident = (typeof incidents)[number]

interface LongRun {
  readonly events: readonly LoadEvent[]
  readonly counts: ReadonlyMap<Incident, number>
  readonly memory: readonly Memory[]
  /** The calls of the pages that were open at the end; `undefined` for one whose calls have not settled. */
  readonly calls: readonly (CallCounts | undefined)[]
}

async function play(browser: Browser, pageOrigin: string, server: RunningServer): Promise<LongRun> {
  const random = createRandom(Number(values.seed))
  const context: BrowserContext = await browser.newContext()
  const events: LoadEvent[] = []
  await context.exposeBinding('report', ({ frame }, event: PageEvent) => {
    events.push({ ...event, load: new URL(frame.url()).searchParams.get('load') ?? '' })
  })
  let loads = 0
  const address = () => `${pageOrigin}/?${new URLSearchParams({ server: server.origin, load: `load-${++loads}` })}`
  const tabs: Tab[] = []
  for (let index = 0; index < tabCount; index += 1) tabs.push({ page: await openPage(context, address()) })
  const [first, ...others] = tabs
  if (!first) throw new Error('There is no tab.')
  const session = await context.newCDPSession(first.page)
  await session.send('Performance.enable')

  const happen: Readonly<Record<Incident, (tab: Tab) => Promise<unknown>>> = {
    reload: ({ page }) => page.goto(address()),
    crash: async (tab) => {
      await crash(tab.page)
      await tab.page.close()
      tab.page = await openPage(context, address())
    },
    close: async (tab) => {
      await tab.page.close()
      tab.page = await openPage(context, address())
    },
    freeze: async ({ page }) => {
      const lifecycle = await context.newCDPSession(page)
      await lifecycle.send('Page.setWebLifecycleState', { state: 'frozen' })
      await sleep(frozenTime)
      await lifecycle.send('Page.setWebLifecycleState', { state: 'active' })
      await lifecycle.detach()
    },
    'used up elsewhere': () => useUp(server.origin),
  }
  const counts = new Map<Incident, number>()
  const memory: Memory[] = []
  const startedAt = Date.now()
  const minutes = () => (Date.now() - startedAt) / minute
  while (Date.now() < startedAt + duration) {
    if (Date.now() >= startedAt + (memory.length * duration) / readings)
      memory.push(await readMemory(session, minutes()))
    await sleep(incidentPause.min + random() * (incidentPause.max - incidentPause.min))
    const incident = incidents[Math.floor(random() * incidents.length)] ?? 'reload'
    const tab = others[Math.floor(random() * others.length)] ?? first
    await happen[incident](tab)
    counts.set(incident, (counts.get(incident) ?? 0) + 1)
  }
  memory.push(await readMemory(session, minutes()))
  const calls = await Promise.all(
    tabs.map(({ page }) => Promise.race([page.evaluate(() => window.stopCalls()), sleep(settleTime, undefined)])),
  )
  await context.close()
  return { events, counts, memory, calls }
}

const median = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0

/** How much more the first tab holds in the last quarter than in the second one. */
function growthOf(memory: readonly Memory[], metric: 'heap' | 'nodes' | 'listeners'): number {
  const quarter = (from: number) =>
    median(
      memory
        .filter(({ minutes }) => minutes * minute >= from * duration)
        .slice(0, readings / 4)
        .map((one) => one[metric]),
    )
  return quarter(0.75) / quarter(0.25)
}

const page = await servePage('longRunPage.tsx')
const browser = await chromium.launch(await chromiumLaunchOptions())
const server = await startServer('express-rate-limit, headers readable')
console.log(
  `Chromium ${browser.version()}, ${values.minutes} minutes, seed ${values.seed}, ${new Date().toISOString()}`,
)
const run = await play(browser, page.origin, server)
const log = await server.readLog()
await server.stop()
await browser.close()
page.close()

const { late, early, lastEarly, duplicates, requests, refused } = judge({ events: run.events, log, surviving: [] })
const unsettled = run.calls.filter((counts) => counts === undefined).length
const sum = (field: keyof CallCounts) => run.calls.reduce((total, counts) => total + (counts?.[field] ?? 0), 0)
const growth = {
  heap: growthOf(run.memory, 'heap'),
  nodes: growthOf(run.memory, 'nodes'),
  listeners: growthOf(run.memory, 'listeners'),
}

console.log(
  table(
    ['minutes', 'heap, kB', 'nodes', 'listeners'],
    run.memory.map(({ minutes, heap, nodes, listeners }) =>
      [minutes, heap / 1_024, nodes, listeners].map((figure) => figure.toFixed(0)),
    ),
  ),
)
console.log(`Incidents: ${[...run.counts].map(([incident, count]) => `${incident} ${count}`).join(', ')}.`)
console.log(
  `Requests as the server counted them, those of the other program included: ${requests}, refused ${refused}.`,
)
console.log(
  `Calls of the pages open at the end: ${sum('begun')} begun, ${sum('succeeded')} succeeded, ${sum('failed')} failed.`,
)
console.log(
  `Sent sooner than ${tolerance} ms after a refusal in another tab: ${early} (the last after ${lastEarly} ms).`,
)
const grown = Object.entries(growth).filter(([, by]) => !(by <= maxGrowth))
console.log(
  `From the second quarter to the last, grown to: ${Object.entries(growth)
    .map(([name, by]) => `${name} × ${by.toFixed(3)}`)
    .join(', ')}.`,
)
const broken = [
  ...(late > 0
    ? [`${late} requests left later than ${tolerance} ms after a refusal, and before its wait was over`]
    : []),
  ...(duplicates > 0 ? [`${duplicates} duplicates`] : []),
  ...(unsettled > 0 ? [`the calls of ${unsettled} pages have not settled`] : []),
  ...grown.map(([name, by]) => `${name} × ${by.toFixed(3)}`),
]
for (const promise of broken) console.log(`- ${promise}`)
if (broken.length === 0) console.log('petstore-react keeps every promise.')
process.exitCode = broken.length === 0 ? 0 : 1
