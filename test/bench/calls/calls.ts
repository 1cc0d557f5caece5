import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Page } from 'playwright'
import { table } from '../generatedKit/table.ts'
import { type BenchBrowser, launchBrowser } from '../launchBrowser.ts'
import { fast, load, median } from '../runs.ts'
import type { CallsPage, Runs, Store, Way } from './page.ts'
import { topFunctions } from './profile.ts'
import { categoryRows, type RowKind } from './rows.ts'

const builtClient = join(process.cwd(), 'dist/client.js')
const isProfile = process.argv[2] === 'profile'
const browserName: BenchBrowser = process.argv[2] === 'firefox' ? 'firefox' : 'chromium'

const { outputFiles } = await build({
  entryPoints: ['test/bench/calls/page.ts'],
  bundle: true,
  // A profile names functions by their names in the source.
  minify: !isProfile,
  format: 'iife',
  write: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [
    {
      name: 'built package',
      setup: (pluginBuild) => pluginBuild.onResolve({ filter: /src\/client\.ts$/ }, () => ({ path: builtClient })),
    },
  ],
})
const script = outputFiles.map(({ text }) => text).join('')
const html = '<!doctype html><title>Calls</title><link rel="icon" href="data:,"><script src="/page.js"></script>'
const pages = new Map<string, readonly [type: string, body: string]>([
  ['/', ['text/html', html]],
  ['/page.js', ['text/javascript', script]],
])
const [before, after] = categoryRows(30, 'small ids').split('Category 0')
let responses = 0

const server = createServer((request, response) => {
  const [type, body] = pages.get(request.url ?? '') ?? []
  if (type !== undefined) {
    // Isolated pages have clocks of 5 µs instead of 100 µs.
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
    response.setHeader('Content-Type', type)
    response.end(body)
    return
  }
  responses += 1
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('X-RateLimit-Limit', 1_000_000_000)
  response.setHeader('X-RateLimit-Remaining', 1_000_000_000 - responses)
  response.setHeader('X-RateLimit-Reset', Math.ceil(Date.now() / 60_000) * 60)
  response.end(`${before}Category ${responses}${after}`)
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
// A server that listens on a port has an address of this kind.
const { port } = server.address() as AddressInfo
const browser = await launchBrowser(browserName, { root: process.cwd() })

async function openPage(): Promise<Page> {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(`http://127.0.0.1:${port}/`)
  return page
}

/** Runs a function of `window.calls` in a page of its own: twice, since the first runs warm up. */
async function measure<Name extends 'read' | 'call'>(name: Name, ...args: Parameters<CallsPage[Name]>): Promise<Runs> {
  const page = await openPage()
  const run = () =>
    page.evaluate(([called, given]) => (window.calls[called] as (...all: unknown[]) => Promise<Runs>)(...given), [
      name,
      args,
    ] as const)
  await run()
  const runs = await run()
  await page.close()
  return runs
}

/** The main thread's time on the processor per call, in ms, which only Chromium tells. Other load does not affect it. */
async function processorTime(way: Way, store: Store, rounds: number): Promise<number> {
  if (browserName === 'firefox') return Number.NaN
  const page = await openPage()
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const used = async () => {
    const { metrics } = await devTools.send('Performance.getMetrics')
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }
  const run = () => page.evaluate((args) => window.calls.callOnly(...args), [way, store, rounds] as const)
  await run()
  const start = await used()
  await run()
  const time = ((await used()) - start) / rounds
  await page.close()
  return time
}

async function reportReading(): Promise<void> {
  const cases: readonly (readonly [rows: number, kind: RowKind, rounds: number, goal: number])[] = [
    [100_000, 'small ids', 41, 1.3],
    [100_000, 'ids past 2^53', 41, 1.4],
    [1_000, 'small ids', 401, 2],
    [1_000, 'ids past 2^53', 401, 2],
  ]
  const lines: string[][] = []
  for (const [rows, kind, rounds, goal] of cases) {
    const { ours, plain } = await measure('read', rows, kind, rounds)
    const times = [plain, ours].flatMap((runs) => [fast(runs).toFixed(2), median(runs).toFixed(2)])
    const ratios = [fast, median].map((pick) => (pick(ours) / pick(plain)).toFixed(2))
    lines.push([`${rows.toLocaleString('en')} rows, ${kind}`, ...times, ...ratios, `≤ ${goal}`])
  }
  const header = ['', 'plain: fast', 'median', 'client: fast', 'median', 'ratio: fast', 'median', 'goal']
  console.log(`A response that is ready, in ms\n\n${table(header, lines)}`)
}

async function reportCalls(): Promise<void> {
  const lines: string[][] = []
  for (const [store, goal] of [
    ['memory', 0.4],
    ['tabs', 1.5],
  ] as const) {
    const { ours, plain } = await measure('call', store, 601)
    const times = [fast, median].map((pick) => `${pick(plain).toFixed(2)} → ${pick(ours).toFixed(2)}`)
    const added = [fast, median].map((pick) => (pick(ours) - pick(plain)).toFixed(2))
    const work = (await processorTime('ours', store, 600)) - (await processorTime('plain', store, 600))
    lines.push([`store: ${store}`, ...times, ...added, `≤ ${goal}`, Number.isNaN(work) ? '' : work.toFixed(2)])
  }
  const header = ['', 'fast', 'median', 'added: fast', 'median', 'goal', 'added on the processor']
  console.log(`One call over HTTP, 30 rows, fetch and json() → client, in ms\n\n${table(header, lines)}`)
}

async function reportProfile(title: string, run: (page: Page) => Promise<void>): Promise<void> {
  const page = await openPage()
  await run(page)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Profiler.enable')
  await devTools.send('Profiler.setSamplingInterval', { interval: 100 })
  await devTools.send('Profiler.start')
  await run(page)
  const { profile } = await devTools.send('Profiler.stop')
  await page.close()
  console.log(`${title}\n\n${table(['self time', 'ms', '%'], topFunctions(profile, 14))}`)
}

console.log(`${browserName} ${browser.version()}, ${new Date().toISOString()}, load ${load()}\n`)
if (isProfile) {
  await reportProfile('1,000 calls, store: memory', (page) =>
    page.evaluate(() => window.calls.callOnly('ours', 'memory', 1_000)),
  )
  await reportProfile('1,000 calls, store: tabs', (page) =>
    page.evaluate(() => window.calls.callOnly('ours', 'tabs', 1_000)),
  )
  await reportProfile('20 responses of 100,000 rows, small ids', (page) =>
    page.evaluate(() => window.calls.readOnly(100_000, 'small ids', 20)),
  )
  await reportProfile('20 responses of 100,000 rows, ids past 2^53', (page) =>
    page.evaluate(() => window.calls.readOnly(100_000, 'ids past 2^53', 20)),
  )
} else {
  await reportReading()
  await reportCalls()
}
console.log(`Load at the end: ${load()}`)
await browser.close()
server.close()
