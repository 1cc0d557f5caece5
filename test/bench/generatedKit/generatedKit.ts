import { execFileSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../chromium.ts'
import { buildApp, exportNames, exportSize, type Files, gzipOf } from './bundles.ts'
import { installed, installOurs } from './installs.ts'
import { kB, spread, table } from './table.ts'
import { countRequests, serve, timeFirstRow } from './visits.ts'

/** What stands in apps/, in the order of the table. */
const apps = ['empty', 'generated', 'hooks', 'components'] as const
const rounds = Number(process.argv[2] ?? 15)

const notes = `- Generated hooks have no gate: each repeats a 429 after SWR's own pause, whatever Retry-After says.
- Generated hooks refuse a list with an id above 2^53 - 1, and load the list again after each create.
- Generated hooks bring no markup: it was written by hand. Orval is for developers: no app loads it.
- Ours know this one service; Orval reads any OpenAPI file, and writes mocks too.
- CategoryList shows the first 200 of 5,000 rows, and a filter; the plain markup shows all.`

/** For each app in turn, so that what disturbs the machine disturbs all of them; the first round only warms up. */
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
  const added = [[], ['orval'], ['petstore-react'], ['petstore-react']].map((names) => installed(names, base))
  const all = added.map(({ bytes }) => bytes + installed(base).bytes)
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

  const browser = await chromium.launch(await chromiumLaunchOptions())
  const counts = await countAll(browser, built)
  const few = await timeAll(browser, built, 30)
  const many = await timeAll(browser, built, 5_000)
  await browser.close()

  return table(
    ['', 'empty React app', 'generated hooks', 'our hooks', 'our components'],
    [
      ['installed with React, SWR and zod, MB', ...all.map(megabytes)],
      ['beyond these, MB (packages)', ...added.map(({ bytes, packages }) => `${megabytes(bytes)} (${packages})`)],
      ['scripts of the app, gzip, kB', ...scripts.map(kB)],
      ['beyond the empty app, kB', ...scripts.map((size) => kB(size - (scripts[0] ?? 0)))],
      ['styles, gzip, kB', ...built.map((files) => kB(gzipOf(files, '.css')))],
      ['requests until the list is there', ...counts.map(({ first }) => String(first.all))],
      ['of these to the service', ...counts.map(({ first }) => String(first.ofService))],
      ['to the service for a create', ...counts.map(({ create }) => String(create))],
      ['navigation to first row of 30, ms', ...few],
      ['navigation to first row of 5,000, ms', ...many],
    ],
  )
}

async function compareExports(): Promise<string> {
  const lines: string[][] = []
  for (const name of await exportNames('petstore-react')) {
    // Hooks and components: not the errors and schemas, which come with the client.
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

installOurs()
execFileSync('node_modules/.bin/orval', { stdio: ['ignore', 'ignore', 'inherit'] })
console.log(`Times are medians of ${rounds} (fastest–slowest), with nothing cached.\n`)
console.log(await compareApps())
console.log(await compareExports())
console.log(notes)
