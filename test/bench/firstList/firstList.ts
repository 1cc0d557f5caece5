import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { chromiumLaunchOptions } from '../../chromium.ts'
import { contentTypeOf, startServer } from '../../startServer.ts'
import { load, median } from '../statistics.ts'
import { table } from '../table.ts'
import { type BuiltPage, buildPage, contenders } from './contenders.ts'

const { values } = parseArgs({
  options: {
    /** How many times slower the processor is. */
    cpu: { type: 'string', default: '4' },
    runs: { type: 'string', default: '9' },
    /** The folder of the built package, to compare builds. */
    dist: { type: 'string', default: 'dist' },
  },
})
const slowdown = Number(values.cpu)
/** 1.6 Mbit/s both ways, and 150 ms until a response begins. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }

const pages = new Map<string, BuiltPage>()
for (const contender of contenders) pages.set(contender.name, await buildPage(contender, values.dist))
const reactAlone = await buildPage({ name: 'ReactAlone' }, values.dist)
const files = new Map([...pages.values()].flatMap((page) => [...page.files]))
const sizeOf = (paths: readonly string[]) => paths.reduce((sum, path) => sum + (files.get(path)?.length ?? 0), 0)
const bytesOfReact = reactAlone.scripts.reduce((sum, path) => sum + (reactAlone.files.get(path)?.length ?? 0), 0)

const rows = JSON.stringify(
  Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    name: `Category ${index + 1}`,
    description: 'For pets.',
  })),
)
let requests = 0

const { origin, close } = await startServer(({ url: path = '' }, response) => {
  const file = files.get(path)
  if (file) {
    const type = contentTypeOf(path)
    // A reload takes the scripts from the cache, as it does with bundlers, which put a hash into the names.
    const cache = type === 'text/html' ? 'no-cache' : 'max-age=31536000, immutable'
    response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip', 'Cache-Control': cache })
    response.end(file)
  } else if (path === '/v1/categories') {
    requests += 1
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-RateLimit-Limit': 1_000_000,
      'X-RateLimit-Remaining': 1_000_000 - requests,
      'X-RateLimit-Reset': Math.ceil(Date.now() / 60_000) * 60,
    })
    response.end(rows)
  } else {
    response.writeHead(404).end()
  }
})

/** What a visit took, in ms since its navigation began. */
interface Visit {
  readonly painted: number
  readonly requested: number
  /** The scripts that the page has loaded. */
  readonly scripts: readonly string[]
}

/** Waits for a message in the console: a script that polls in the page would delay its render and its request. */
async function readVisit(page: Page, navigate: () => Promise<unknown>): Promise<Visit> {
  const painted = page.waitForEvent('console', (message) => message.text() === 'painted')
  await navigate()
  await painted
  return page.evaluate(() => {
    const entries = performance
      .getEntriesByType('resource')
      .flatMap((entry) => (entry instanceof PerformanceResourceTiming ? [entry] : []))
    return {
      painted: window.painted ?? Number.NaN,
      requested: entries.find(({ name }) => name.endsWith('/v1/categories'))?.fetchStart ?? Number.NaN,
      scripts: entries.map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js')),
    }
  })
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(error))
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', network)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

/** Visits a page for the first time, with nothing in the cache or the database, and reloads it. */
async function visit(browser: Browser, name: string): Promise<{ readonly first: Visit; readonly reload: Visit }> {
  const context = await browser.newContext()
  const page = await openPage(context)
  const first = await readVisit(page, () => page.goto(`${origin}/${name}`, { waitUntil: 'commit' }))
  const reload = await readVisit(page, () => page.reload({ waitUntil: 'commit' }))
  await context.close()
  return { first, reload }
}

const browser = await chromium.launch(await chromiumLaunchOptions())
const conditions = `processor ${slowdown} times slower, 1.6 Mbit/s, 150 ms`
console.log(`Chromium ${browser.version()}, ${conditions}, ${new Date().toISOString()}, load ${load()}\n`)

const visits = new Map(contenders.map(({ name }) => [name, { first: [] as Visit[], reload: [] as Visit[] }]))
for (let run = 0; run <= Number(values.runs); run += 1) {
  // Each round begins with another contender.
  const turn = run % contenders.length
  for (const { name } of [...contenders.slice(turn), ...contenders.slice(0, turn)]) {
    const { first, reload } = await visit(browser, name)
    // The first round warms the browser up.
    if (run === 0) continue
    visits.get(name)?.first.push(first)
    visits.get(name)?.reload.push(reload)
  }
}

const medianOf = (all: readonly Visit[] = [], field: 'painted' | 'requested' = 'painted') =>
  median(all.map((each) => each[field]))
const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1)
const reference = visits.get('SwrAndZod')
const lines = contenders.map(({ title, name }) => {
  const page = pages.get(name)
  const { first = [], reload = [] } = visits.get(name) ?? {}
  const loaded = new Set([...first, ...reload].flatMap(({ scripts }) => scripts))
  const late = [...loaded].filter((path) => !page?.scripts.includes(path))
  const styles = page?.styles ? ` + ${kilobytes(sizeOf([page.styles]))} CSS` : ''
  return [
    title,
    kilobytes(sizeOf(page?.scripts ?? []) - bytesOfReact) + styles,
    kilobytes(sizeOf(late)),
    medianOf(first, 'requested').toFixed(0),
    medianOf(first).toFixed(0),
    (medianOf(first) / medianOf(reference?.first)).toFixed(2),
    medianOf(reload).toFixed(0),
    (medianOf(reload) / medianOf(reference?.reload)).toFixed(2),
  ]
})
const header = ['', 'kB at once', 'late', 'first GET', 'first visit', '× SWR', 'reload', '× SWR']
console.log(table(header, lines))
console.log(`Sizes are gzipped, beyond React. Times in ms since the navigation began, medians of ${values.runs}.`)
console.log(`Load at the end: ${load()}`)
await browser.close()
close()
