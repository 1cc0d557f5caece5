import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../chromium.ts'
import { judge, tolerance, trace, type Verdict } from './judge.ts'
import { isNginxInstalled } from './nginx.ts'
import { type ClientName, runTabs } from './runTabs.ts'
import { servePage } from './servePage.ts'
import { serverNames } from './serverNames.ts'
import { startServer } from './startServer.ts'
import { table } from './table.ts'

const clients: readonly ClientName[] = ['petstore-react', 'fetch']

function brokenPromises({ late, settled, calls, duplicates }: Verdict): string[] {
  return [
    ...(late > 0
      ? [`${late} requests left later than ${tolerance} ms after a refusal, and before its wait was over`]
      : []),
    ...(settled < calls ? [`${calls - settled} of ${calls} calls did not settle`] : []),
    ...(duplicates > 0 ? [`${duplicates} duplicates`] : []),
  ]
}

const line = (server: string, client: string, verdict: Verdict): string[] => {
  const { settled, succeeded, calls, requests, refused, late, early, lastEarly, duplicates, duration } = verdict
  return [
    server,
    client,
    `${settled} of ${calls}`,
    String(succeeded),
    String(requests),
    String(refused),
    String(late),
    early > 0 ? `${early} (${lastEarly} ms)` : '0',
    String(duplicates),
    `${(duration / 1_000).toFixed(1)} s`,
  ]
}

const [wanted = ''] = process.argv.slice(2)
const servers = serverNames.filter((name) => name.includes(wanted))
const available = servers.filter((name) => isNginxInstalled || !name.startsWith('nginx'))
const page = await servePage('page.ts')
const browser = await chromium.launch(await chromiumLaunchOptions())
const lines: string[][] = []
const broken: string[] = []
for (const name of available) {
  for (const client of clients) {
    const server = await startServer(name)
    const run = await runTabs(browser, page.origin, server, client)
    await server.stop()
    const verdict = judge(run)
    if (wanted && client === 'petstore-react') console.log(`${name}\n${trace(run)}\n`)
    lines.push(line(name, client, verdict))
    if (client === 'petstore-react') broken.push(...brokenPromises(verdict).map((text) => `${name}: ${text}`))
  }
}
await browser.close()
page.close()

const header = [
  'server',
  'client',
  'settled',
  'succeeded',
  'requests',
  'refused',
  `sent > ${tolerance} ms after a refusal`,
  'sent sooner (the last)',
  'duplicates',
  'duration',
]
if (lines.length > 0) console.log(table(header, lines))
if (available.length < servers.length) {
  console.log(
    'Skipped: nginx limit_req. Install nginx (Debian package `nginx`: apt-get install nginx) to measure it.\n',
  )
}
if (lines.length > 0 && broken.length === 0) console.log('petstore-react keeps every promise.')
for (const promise of broken) console.log(`- ${promise}`)
process.exitCode = broken.length === 0 ? 0 : 1
