/**
 * The handler beside a plain forwarder at the same load, and beside the handlers of other builds. See README.md.
 *
 * `npm run bench:handler -- folder-of-another-build`
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { basename, join } from 'node:path'
import { load, median } from '../runs.ts'

const rounds = 12
const callsPerRound = 1_500
/** Each has a connection and a user of its own, so that no two calls share a request. */
const visitors = 20

interface Subject {
  readonly name: string
  readonly origin: string
  /** ms of CPU time so far. */
  readonly cpuTime: () => Promise<number>
  readonly end: () => void
}

async function start(name: string, ...values: readonly string[]): Promise<Subject> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'subject.js'), values, {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [port] = await once(child, 'message')
  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    cpuTime: async () => {
      const told = once(child, 'message')
      child.send('cpu')
      const [ms] = await told
      return Number(ms)
    },
    end: () => child.disconnect(),
  }
}

function call(origin: string, visitor: number, agent: Agent): Promise<void> {
  const headers = { Cookie: `visitor-${visitor}`, 'Sec-Fetch-Site': 'same-origin' }
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/api/petstore/v1/categories`, { agent, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`The status is ${response.statusCode}.`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

interface Round {
  readonly callsPerSecond: number
  /** ms. */
  readonly p50: number
  readonly p99: number
  /** ms of CPU time per call. */
  readonly cpu: number
}

async function measure({ origin, cpuTime }: Subject, calls: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: visitors })
  const durations: number[] = []
  let left = calls
  const visit = async (visitor: number) => {
    while (left > 0) {
      left -= 1
      const begin = performance.now()
      await call(origin, visitor, agent)
      durations.push(performance.now() - begin)
    }
  }
  const cpuBefore = await cpuTime()
  const begin = performance.now()
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)))
  const seconds = (performance.now() - begin) / 1_000
  const cpu = ((await cpuTime()) - cpuBefore) / calls
  agent.destroy()
  const sorted = durations.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { callsPerSecond: calls / seconds, p50: at(0.5), p99: at(0.99), cpu }
}

const service = await start('service', 'service')
const baseUrl = `${service.origin}/v1`
const builds = ['.', ...process.argv.slice(2)]
const subjects = [
  await start('forwarder', 'forwarder', baseUrl),
  ...(await Promise.all(
    builds.map((folder) => start(folder === '.' ? 'handler' : `handler of ${basename(folder)}`, folder, baseUrl)),
  )),
]

const results = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]))
// The first round warms up the engines.
for (let round = -1; round < rounds; round += 1) {
  // Each of them is first as often as any other.
  const turn = (round + 1) % subjects.length
  for (const subject of [...subjects.slice(turn), ...subjects.slice(0, turn)]) {
    const measured = await measure(subject, callsPerRound)
    if (round >= 0) results.get(subject.name)?.push(measured)
  }
}
for (const { end } of [...subjects, service]) end()

const columns = { callsPerSecond: 'calls/s', p50: 'p50 in ms', p99: 'p99 in ms', cpu: 'CPU per call in ms' } as const
const forwarder = results.get('forwarder') ?? []
const row = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)
console.log(`Medians of ${rounds} rounds of ${callsPerRound} calls each, in turns. Load ${load()}.\n`)
row(['', ...Object.values(columns)])
row(['---', ...Object.values(columns).map(() => '--:')])
for (const [name, measured] of results) {
  const cells = Object.keys(columns).map((key) => {
    const column = key as keyof typeof columns
    const value = median(measured.map((round) => round[column]))
    // In the same round the machine was as busy.
    const ratio = median(measured.map((round, index) => round[column] / (forwarder[index]?.[column] ?? Number.NaN)))
    return `${value.toFixed(column === 'callsPerSecond' ? 0 : 2)} (${ratio.toFixed(2)})`
  })
  row([name, ...cells])
}
