import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright'
import { buildStyles } from '../../../buildStyles.ts'
import { bundlePage } from '../../bundlePage.ts'
import { chromiumLaunchOptions } from '../../chromium.ts'
import { contentTypeOf, startServer } from '../../startServer.ts'
import { load } from '../statistics.ts'
import { checkTargets, type Measurement, resultTable } from './report.ts'

const contenders = [
  ['plainRows', '200 plain rows'],
  ['plainFilter', '200 plain rows with a filter'],
  ['categoryList', 'CategoryList'],
] as const

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } })
const rounds = Number(values.rounds)

type Files = ReadonlyMap<string, string>

const styles = buildStyles('src/styles.css')

async function bundle(name: string): Promise<Files> {
  const files = await bundlePage(`test/bench/longList/contenders/${name}.tsx`)
  // An element moves all the time, as a skeleton does: Chromium takes a while to resume frames on an idle page.
  const animation =
    '<style>@keyframes move{to{rotate:1turn}}i{position:fixed;inset:auto 0 0 auto;width:8px;height:8px;' +
    'background:red;animation:move 1s linear infinite}</style><i></i>'
  const html =
    '<!doctype html><html lang="en"><title>Long list</title><link rel="stylesheet" href="/styles.css">' +
    '<link rel="icon" href="data:,"><body style="font: 16px/1.5 sans-serif"><main></main>' +
    `${animation}<script type="module" src="/${name}.js"></script></html>`
  return files.set('/styles.css', styles).set('/', html)
}

/** The files of the contender that is measured now. */
let served: Files = new Map()
const { origin, close } = await startServer(({ url = '' }, response) => {
  // Isolated pages have clocks of 5 µs instead of 100 µs.
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
  response.setHeader('Content-Type', contentTypeOf(url))
  response.setHeader('Cache-Control', 'no-store')
  response.end(served.get(url))
})

/** Returns functions that read the processor time and the memory of a page. */
async function meterOf(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  return {
    /** The processor time of the main thread so far, in ms. */
    processorTime: async () => {
      const { metrics } = await devTools.send('Performance.getMetrics')
      return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
    },
    /** In MB, after a garbage collection. */
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
  await page.goto(origin)
  await page.waitForFunction(() => 'longList' in window)
  return page
}

async function measureOnce(browser: Browser, name: string, files: Files): Promise<Measurement> {
  const fresh = await openPage(browser, files)
  const mount = await fresh.evaluate(() => window.longList.show())
  await fresh.close()

  const page = await openPage(browser, files)
  const { processorTime, heapSize } = await meterOf(page)
  await page.evaluate(() => window.longList.mountLoading())
  const heapBefore = await heapSize()
  const workBefore = await processorTime()
  const paint = await page.evaluate(() => window.longList.show())
  const work = (await processorTime()) - workBefore
  const heap = (await heapSize()) - heapBefore
  const keystrokes: number[] = []
  const keystrokeWork: number[] = []
  if (name !== 'plainRows') {
    await page.getByRole('searchbox').focus()
    await page.evaluate(() => window.longList.settle())
    for (const key of 'rabbit 123') {
      const start = await processorTime()
      await page.keyboard.press(key)
      keystrokes.push(await page.evaluate(() => window.longList.keystroke()))
      keystrokeWork.push((await processorTime()) - start)
    }
  }
  await page.close()
  return { mount, paint, work, heap, keystroke: Math.max(...keystrokes), keystrokeWork: Math.max(...keystrokeWork) }
}

/** @param isUnpaced - whether frames start without waiting for the screen, so that only their work counts */
async function measureAll(isUnpaced: boolean): Promise<ReadonlyMap<string, readonly Measurement[]>> {
  const { args = [], ...options } = await chromiumLaunchOptions()
  const flags = isUnpaced ? ['--disable-frame-rate-limit', '--disable-gpu-vsync'] : []
  const browser = await chromium.launch({ ...options, args: [...args, ...flags] })
  console.log(`Chromium ${browser.version()}, load ${load()}\n`)
  const measured = new Map<string, Measurement[]>(contenders.map(([, title]) => [title, []]))
  // In turns, so that load on the machine affects all of them. The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, title] of contenders) {
      const measurement = await measureOnce(browser, name, bundles.get(name) ?? new Map())
      if (round > 0) measured.get(title)?.push(measurement)
    }
  }
  await browser.close()
  return measured
}

const bundles = new Map<string, Files>()
for (const [name] of contenders) bundles.set(name, await bundle(name))

console.log(`100,000 categories; ${rounds} rounds: fastest tenth (median); times in ms, heap in MB beyond the data\n`)
const unpaced = await measureAll(true)
console.log(resultTable('Unpaced: frames do not wait for the screen', unpaced))
const paced = await measureAll(false)
console.log(resultTable('On a 60 Hz screen', paced))
console.log(`Load at the end: ${load()}\n`)
close()
process.exitCode = checkTargets({ unpaced, paced }) ? 0 : 1
