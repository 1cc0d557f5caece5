import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright'
import { type BenchBrowser, launchBrowser } from '../launchBrowser.ts'
import { load } from '../runs.ts'
import type {} from './measure.tsx'
import { checkTargets, type Measurement, resultTable } from './report.ts'

/** In the order of the table. */
const contenders = [
  ['plain200', '200 plain rows'],
  ['plainAll', '100,000 plain rows'],
  ['plainFilter', '200 plain rows with a filter'],
  ['categoryList', 'CategoryList'],
  ['reactWindow', 'react-window'],
  ['tanstackVirtual', 'TanStack Virtual'],
] as const

const root = process.cwd()
const folder = join(root, 'test/bench/longList')
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    /** The factor by which the processor is slowed down, in Chromium. */
    slowdown: { type: 'string', default: '1' },
    firefox: { type: 'boolean', default: false },
    /** Names of contenders, separated by commas. Default: all. */
    only: { type: 'string' },
  },
})
const repetitions = Number(options.rounds)
const cpuSlowdown = Number(options.slowdown)
const browserName: BenchBrowser = options.firefox ? 'firefox' : 'chromium'
const chosen = contenders.filter(([name]) => options.only?.split(',').includes(name) ?? true)

type Files = ReadonlyMap<string, string>

async function bundle(name: string): Promise<Files> {
  const contents = `import { contender } from './contenders/${name}'\nimport { measure } from './measure.tsx'\nmeasure(contender)`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'tsx' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    outdir: '/page',
    entryNames: 'page',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const styles = await build({
    entryPoints: [join(root, 'src/styles.css')],
    bundle: true,
    outdir: '/page',
    write: false,
  })
  return new Map([...outputFiles, ...styles.outputFiles].map(({ path, text }) => [path.replace('/page', ''), text]))
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }
/** Something moves all the time, as a skeleton does: Chromium takes a while to resume frames on an idle page. */
const animation =
  '<style>@keyframes move{to{rotate:1turn}}i{position:fixed;inset:auto 0 0 auto;width:8px;height:8px;' +
  'background:red;animation:move 1s linear infinite}</style><i></i>'
const html =
  '<!doctype html><html lang="en"><title>Long list</title><link rel="stylesheet" href="/styles.css">' +
  '<link rel="icon" href="data:,"><body style="font: 16px/1.5 sans-serif"><main></main>' +
  animation +
  '<script type="module" src="/page.js"></script></html>'

/** The files of the contender that is measured now. */
let served: Files = new Map()
const server = createServer((request, response) => {
  const pathname = request.url ?? ''
  // Isolated pages have clocks of 5 µs instead of 100 µs.
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
  response.setHeader('Content-Type', types[pathname.split('.').pop() ?? ''] ?? 'text/html')
  response.setHeader('Cache-Control', 'no-store')
  response.end(served.get(pathname) ?? html)
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
// A server that listens on a port has an address of this kind.
const { port } = server.address() as AddressInfo

/** Processor time and memory, which only Chromium tells. */
interface Meter {
  /** The processor time of the main thread so far, in ms. */
  readonly processorTime: () => Promise<number>
  /** In MB, after a garbage collection. */
  readonly heapSize: () => Promise<number>
}

const unknown = async () => Number.NaN

async function meterOf(page: Page): Promise<Meter> {
  if (browserName === 'firefox') return { processorTime: unknown, heapSize: unknown }
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  if (cpuSlowdown > 1) await devTools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return {
    processorTime: async () => {
      const { metrics } = await devTools.send('Performance.getMetrics')
      return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
    },
    heapSize: async () => {
      for (let count = 0; count < 2; count += 1) await devTools.send('HeapProfiler.collectGarbage')
      return (await devTools.send('Runtime.getHeapUsage')).usedSize / 1e6
    },
  }
}

async function openPage(browser: Browser, files: Files): Promise<Page> {
  served = files
  const page = await browser.newPage({ viewport: { width: 800, height: 800 } })
  page.on('pageerror', (error) => console.error(error))
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.waitForFunction(() => 'longList' in window)
  return page
}

async function measureOnce(browser: Browser, name: string, files: Files): Promise<Measurement> {
  const fresh = await openPage(browser, files)
  await meterOf(fresh) // for the slowdown
  const { paint: mount } = await fresh.evaluate(() => window.longList.show())
  await fresh.close()

  const page = await openPage(browser, files)
  const { processorTime, heapSize } = await meterOf(page)
  await page.evaluate(() => window.longList.mountLoading())
  const heapBefore = await heapSize()
  const workBefore = await processorTime()
  const { paint } = await page.evaluate(() => window.longList.show())
  const workAfter = await processorTime()
  const heapAfter = await heapSize()
  const keystrokes: number[] = []
  const keystrokeWork: number[] = []
  if (name === 'categoryList' || name === 'plainFilter') {
    await page.getByRole('searchbox').focus()
    await page.evaluate(() => window.longList.settle())
    for (const key of 'rabbit 123') {
      const start = await processorTime()
      await page.keyboard.press(key)
      keystrokes.push(await page.evaluate(() => window.longList.keystroke()))
      keystrokeWork.push((await processorTime()) - start)
    }
    await page.getByRole('searchbox').fill('')
    await page.evaluate(() => window.longList.settle())
  }
  const scroll = await page.evaluate(() => window.longList.scroll())
  await page.close()
  return {
    mount,
    paint,
    work: workAfter - workBefore,
    heap: heapAfter - heapBefore,
    keystroke: Math.max(...keystrokes),
    keystrokeWork: Math.max(...keystrokeWork),
    scroll,
  }
}

/** @param isUnpaced - whether frames start without waiting for the screen, so that only their work counts */
async function measureAll(isUnpaced: boolean): Promise<ReadonlyMap<string, readonly Measurement[]>> {
  const browser = await launchBrowser(browserName, { isUnpaced })
  console.log(`${browserName} ${browser.version()}, load ${load()}\n`)
  const measured = new Map<string, Measurement[]>(chosen.map(([, title]) => [title, []]))
  // In turns, so that load on the machine affects all of them. The first round only warms up.
  for (let round = 0; round <= repetitions; round += 1) {
    for (const [name, title] of chosen) {
      // One round is enough: it takes as long as all others together.
      if (name === 'plainAll' && round > 1) continue
      const measurement = await measureOnce(browser, name, bundles.get(name) ?? new Map())
      if (round > 0 || name === 'plainAll') measured.get(title)?.push(measurement)
    }
  }
  await browser.close()
  return measured
}

const bundles = new Map<string, Files>()
for (const [name] of chosen) bundles.set(name, await bundle(name))

console.log(
  `100,000 categories; ${repetitions} rounds: fastest tenth (median); times in ms, heap in MB beyond the data\n`,
)
const unpaced = await measureAll(true)
console.log(resultTable('Unpaced: frames do not wait for the screen', unpaced))
const paced = await measureAll(false)
console.log(resultTable('On a 60 Hz screen', paced))
console.log(`Load at the end: ${load()}\n`)
server.close()
if (chosen.length === contenders.length) process.exitCode = checkTargets({ unpaced, paced }) ? 0 : 1
