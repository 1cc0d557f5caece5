import { execFileSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../chromium.ts'
import { buildApp, exportNames, exportSize, type Files, gzipOf } from './bundles.ts'
import { installedSize, installPetstoreReact } from './installs.ts'
import { kB, spread, table } from './table.ts'
import { countRequests, serve, timeFirstRow } from './visits.ts'

/** The files in apps/, in the order of the table. */
const apps = ['empty', 'generated', 'hooks', 'components'] as const
const rounds = Number(process.argv[2] ?? 15)

const notes = `- Generated hooks have no gate: each retries a 429 after SWR's own delay and ignores Retry-After.
- Generated hooks reject a list with an id above 2^53 - 1, and load the list again after each create.
- Generated hooks have no markup: the benchmark's is written by hand. Orval is a development tool: no app loads it.
- Ours support one service. Orval supports any OpenAPI file, and generates mocks too.
- CategoryList shows the first 200 of 5,000 rows and a filter. The plain markup shows all rows.`

/** Visits the apps in turns, so that load on the machine affects all of them. The first round only warms up. */
async function timeAll(browser: Browser, built: readonly Files[], categories: number): Promise<string[]> {
  const times = built.map((): number[] => [])
  const served = await Promise.all(built.map((files) => serve(files, categories)))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { origin, service }] of served.entries()) {
      service.reset()
      const time = await timeFirstRow(browser, origin)
      if (round > 0) times[index]?.push(time)
    }
  }
  for (const { close } of served) await close()
  return times.map(spread)
}

async function countAll(browser: Browser, built: readonly Files[]) {
  const counts = []
  for (const [index, files] of built.entries()) {
    const { origin, service, close } = await serve(files, 30)
    counts.push(await countRequests(browser, origin, service, apps[index] !== 'empty'))
    await close()
  }
  return counts
}

async function compareApps(): Promise<string> {
  const built: Files[] = []
  for (const name of apps) built.push(await buildApp(name))
  const scripts = built.map((files) => gzipOf(files, '.js'))

  const base = ['react', 'react-dom', 'swr', 'zod']
  const added = [[], ['orval'], ['petstore-react'], ['petstore-react']].map((names) => installedSize(names, base))
  const all = added.map(({ bytes }) => bytes + installedSize(base).bytes)
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

  const browser = await chromium.launch(await chromiumLaunchOptions())
  const counts = await countAll(browser, built)
  const timesOf30 = await timeAll(browser, built, 30)
  const timesOf5000 = await timeAll(browser, built, 5_000)
  await browser.close()

  return table(
    ['', 'empty React app', 'generated hooks', 'our hooks', 'our components'],
    [
      ['installed with React, SWR and zod, MB', ...all.map(megabytes)],
      ['without these, MB (packages)', ...added.map(({ bytes, packages }) => `${megabytes(bytes)} (${packages})`)],
      ['scripts of the app, gzip, kB', ...scripts.map(kB)],
      ['more than the empty app, kB', ...scripts.map((size) => kB(size - (scripts[0] ?? 0)))],
      ['styles, gzip, kB', ...built.map((files) => kB(gzipOf(files, '.css')))],
      ['requests until the list appears', ...counts.map(({ first }) => String(first.all))],
      ['of these, to the service', ...counts.map(({ first }) => String(first.toService))],
      ['to the service for a create', ...counts.map(({ create }) => String(create))],
      ['navigation to first row of 30, ms', ...timesOf30],
      ['navigation to first row of 5,000, ms', ...timesOf5000],
    ],
  )
}

async function compareExports(): Promise<string> {
  const lines: string[][] = []
  for (const name of await exportNames('petstore-react')) {
    // Only hooks and components: errors and schemas come with the client.
    if (!/^(?:use[A-Z]|[A-Z])/.test(name) || name.endsWith('Error')) continue
    const alone = await exportSize(name, 'petstore-react')
    const names = [...new Set(['PetstoreProvider', name])].join(', ')
    const withProvider = await exportSize(names, 'petstore-react')
    lines.push([name, kB(alone.gzip), kB(alone.brotli), kB(withProvider.gzip)])
  }
  for (const entry of ['petstore-react', 'petstore-react/client', 'petstore-react/testing']) {
    const { gzip, brotli } = await exportSize('*', entry)
    lines.push([`all of ${entry}`, kB(gzip), kB(brotli), ''])
  }
  const { gzip, brotli } = await exportSize('*', './node_modules/.kit/petstore.ts')
  lines.push(['all that Orval generates', kB(gzip), kB(brotli), ''])
  return table(['kB without React, SWR and zod', 'gzip', 'brotli', 'with PetstoreProvider, gzip'], lines)
}

installPetstoreReact()
execFileSync('node_modules/.bin/orval', { stdio: ['ignore', 'ignore', 'inherit'] })
console.log(`Times are medians of ${rounds} (fastest–slowest), without a cache.\n`)
console.log(await compareApps())
console.log(await compareExports())
console.log(notes)
