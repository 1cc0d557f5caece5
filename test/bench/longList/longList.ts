import { join } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../chromium.ts'
import type {} from './measure.tsx'
import { judge, type Measurement, report } from './report.ts'

/** In the order of the table. */
const contenders = [
  ['plain30', '30 plain rows (the floor)'],
  ['plain200', '200 plain rows'],
  ['plainAll', '100,000 plain rows'],
  ['plainFilter', '200 plain rows with a filter'],
  ['categoryList', 'CategoryList'],
  ['categoryListWindowed', 'CategoryList windowed'],
  ['virtua', 'virtua alone'],
  ['reactWindow', 'react-window'],
  ['tanstackVirtual', 'TanStack Virtual'],
] as const

const folder = process.cwd()
const root = join(folder, '../../..')
const repetitions = Number(process.argv[2] ?? 7)
/** How much slower than it is the machine is made. */
const slowdown = Number(process.argv[3] ?? 1)

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
/** Something always moves, as a skeleton does: a page at rest takes a while to begin with frames again. */
const motion =
  '<style>@keyframes move{to{rotate:1turn}}i{position:fixed;inset:auto 0 0 auto;width:8px;height:8px;' +
  'background:red;animation:move 1s linear infinite}</style><i></i>'
const html =
  '<!doctype html><html lang="en"><title>Long list</title><link rel="stylesheet" href="/styles.css">' +
  '<link rel="icon" href="data:,"><body style="font: 16px/1.5 sans-serif"><main></main>' +
  motion +
  '<script type="module" src="/page.js"></script></html>'

async function openPage(browser: Browser, files: Files) {
  const page = await browser.newPage({ viewport: { width: 800, height: 800 } })
  page.on('pageerror', (error) => console.error(error))
  await page.route('**', (route) => {
    const { pathname } = new URL(route.request().url())
    const body = files.get(pathname)
    const contentType = types[pathname.split('.').pop() ?? ''] ?? 'text/html'
    return route.fulfill({ body: body ?? html, contentType })
  })
  await page.goto('https://long-list.test/')
  await page.waitForFunction(() => 'longList' in window)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  if (slowdown > 1) await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return {
    page,
    /** What the main thread has computed so far, in ms. */
    busy: async () => {
      const { metrics } = await devTools.send('Performance.getMetrics')
      return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
    },
    /** In MB. */
    heap: async () => {
      for (let count = 0; count < 2; count += 1) await devTools.send('HeapProfiler.collectGarbage')
      return (await devTools.send('Runtime.getHeapUsage')).usedSize / 1e6
    },
  }
}

async function measureOnce(browser: Browser, name: string, files: Files): Promise<Measurement> {
  const { page: fresh } = await openPage(browser, files)
  const { paint: mount } = await fresh.evaluate(() => window.longList.show())
  await fresh.close()

  const { page, busy, heap } = await openPage(browser, files)
  await page.evaluate(() => window.longList.wait())
  const before = [await heap(), await busy()] as const
  const { paint, ready } = await page.evaluate(() => window.longList.show())
  const after = [await busy(), await heap()] as const
  const keystrokes: number[] = []
  const efforts: number[] = []
  if (name.startsWith('categoryList') || name === 'plainFilter') {
    await page.getByRole('searchbox').focus()
    await page.evaluate(() => window.longList.settle())
    for (const key of 'rabbit 123') {
      const start = await busy()
      await page.keyboard.press(key)
      keystrokes.push(await page.evaluate(() => window.longList.typed()))
      efforts.push((await busy()) - start)
    }
    await page.getByRole('searchbox').fill('')
    await page.evaluate(() => window.longList.settle())
  }
  const scroll = await page.evaluate(() => window.longList.scroll())
  await page.close()
  return {
    mount,
    paint,
    ready,
    work: after[0] - before[1],
    heap: after[1] - before[0],
    keystroke: Math.max(...keystrokes),
    effort: Math.max(...efforts),
    scroll,
  }
}

/** `isUnpaced`: frames follow each other without waiting for the screen, so that their work alone counts. */
async function run(isUnpaced: boolean): Promise<ReadonlyMap<string, readonly Measurement[]>> {
  const options = await chromiumLaunchOptions()
  const unpaced = isUnpaced ? ['--disable-frame-rate-limit', '--disable-gpu-vsync'] : []
  const browser = await chromium.launch({ ...options, args: [...(options.args ?? []), ...unpaced] })
  const measured = new Map<string, Measurement[]>(contenders.map(([, title]) => [title, []]))
  // In turn, so that what disturbs the machine disturbs all of them; the first round only warms up.
  for (let round = 0; round <= repetitions; round += 1) {
    for (const [name, title] of contenders) {
      // It takes as long as all the others together, and nobody has to know it so exactly.
      if (name === 'plainAll' && round > 1) continue
      const measurement = await measureOnce(browser, name, bundles.get(name) ?? new Map())
      if (round > 0 || name === 'plainAll') measured.get(title)?.push(measurement)
    }
  }
  await browser.close()
  return measured
}

const bundles = new Map<string, Files>()
for (const [name] of contenders) bundles.set(name, await bundle(name))

console.log(`100,000 categories; medians of ${repetitions}; times in ms, heap in MB beyond the data\n`)
const unpaced = await run(true)
console.log(report('Unpaced: frames follow each other without waiting for the screen', unpaced))
const paced = await run(false)
console.log(report('On a screen of 60 Hz', paced))
process.exitCode = judge({ unpaced, paced }) ? 0 : 1
