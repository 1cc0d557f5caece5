import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { basename, join } from 'node:path'
import { load, median, quantile } from '../runs.ts'
import { table } from '../table.ts'

const basePath = '/api/petstore/v1'

const rounds = 7
const callsPerRound = 800
/** Before the rounds of a method. An engine compiles a server's code little by little, and more code takes longer. */
const callsToWarmUp = 2_500
/** Each has a connection and a user of its own, so that no two calls share a request. */
const visitors = 16
const bodies = { GET: undefined, POST: JSON.stringify({ name: 'Rabbit', description: 'Long ears, short tail.' }) }
type Method = keyof typeof bodies

interface Subject {
  readonly name: string
  readonly origin: string
  /** ms of CPU time so far. */
  readonly cpuTime: () => Promise<number>
  readonly end: () => void
}

async function start(name: string, kind: string, ...values: readonly string[]): Promise<Subject> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'subject.js'), [kind, ...values], {
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

function call(origin: string, method: Method, visitor: number, agent: Agent): Promise<void> {
  const body = bodies[method]
  const headers = {
    Cookie: `visitor-${visitor}`,
    'Sec-Fetch-Site': 'same-origin',
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${basePath}/categories`, { agent, method, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === (body ? 201 : 200)) resolve()
        else reject(new Error(`The status is ${response.statusCode}.`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
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

async function measure({ origin, cpuTime }: Subject, method: Method, calls: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: visitors })
  const durations: number[] = []
  let left = calls
  const visit = async (visitor: number) => {
    while (left > 0) {
      left -= 1
      const begin = performance.now()
      await call(origin, method, visitor, agent)
      durations.push(performance.now() - begin)
    }
  }
  const cpuBefore = await cpuTime()
  const begin = performance.now()
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)))
  const seconds = (performance.now() - begin) / 1_000
  const cpu = ((await cpuTime()) - cpuBefore) / calls
  agent.destroy()
  return { callsPerSecond: calls / seconds, p50: median(durations), p99: quantile(durations, 0.99), cpu }
}

const service = await start('service', 'service')
const baseUrl = `${service.origin}/v1`
const startHandlers = (folder: string) => {
  const suffix = folder === '.' ? '' : ` of ${basename(folder)}`
  return ['handler', 'handler, authorize'].map((kind) => start(`${kind}${suffix}`, kind, baseUrl, folder))
}
const forwarder = await start('fetch', 'fetch', baseUrl)
const handlers = await Promise.all(['.', ...process.argv.slice(2)].flatMap(startHandlers))
const subjects = [forwarder, ...handlers]

async function compare(method: Method): Promise<ReadonlyMap<string, readonly Round[]>> {
  const results = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]))
  for (const subject of subjects) await measure(subject, method, callsToWarmUp)
  for (let round = 0; round < rounds; round += 1) {
    // Each of them is first as often as any other.
    const turn = round % subjects.length
    for (const subject of [...subjects.slice(turn), ...subjects.slice(0, turn)]) {
      results.get(subject.name)?.push(await measure(subject, method, callsPerRound))
    }
  }
  return results
}

const columns = { callsPerSecond: 'calls/s', p50: 'p50 in ms', p99: 'p99 in ms', cpu: 'CPU per call in ms' } as const

function tableOf(results: ReadonlyMap<string, readonly Round[]>): string {
  const base = results.get(forwarder.name) ?? []
  const lines = [...results].map(([name, measured]) => {
    // In the same round the machine was as busy.
    const compared = (key: keyof Round, compute: (value: number, base: number) => number) =>
      median(measured.map((round, index) => compute(round[key], base[index]?.[key] ?? Number.NaN)))
    const cells = Object.keys(columns).map((column) => {
      const key = column as keyof Round
      const value = median(measured.map((round) => round[key]))
      const ratio = compared(key, (one, other) => one / other)
      return `${value.toFixed(key === 'callsPerSecond' ? 0 : 2)} (${ratio.toFixed(2)})`
    })
    return [name, ...cells, compared('cpu', (one, other) => one - other).toFixed(2)]
  })
  return table(['', ...Object.values(columns), 'added CPU in ms'], lines)
}

for (const method of ['POST', 'GET'] as const) {
  const results = await compare(method)
  console.log(
    `\n${method}, ${visitors} at a time. Medians of ${rounds} rounds of ${callsPerRound} calls each, in turns. Load ${load()}.\n`,
  )
  console.log(tableOf(results))
}
for (const { end } of [...subjects, service]) end()
