import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../src/testing/node.ts'
import { buildProgram } from './buildProgram.ts'
import { type Check, checks, type Subject } from './checks.ts'
import type { Runtime } from './runtimes.ts'
import { createServices, type Services } from './services.ts'

/** The result of each check by its title. Checks that do not apply are absent. */
export type Results = ReadonlyMap<string, 'passed' | { readonly problem: string }>

/** How long a check may take, in ms. It is generous, since a hang is what it is for. */
const patience = 60_000

/** Runs all checks in one runtime, in one process. `parent` has the package in its `node_modules`. */
export async function testRuntime(runtime: Runtime, parent: string): Promise<Results> {
  const results = new Map<string, 'passed' | { readonly problem: string }>()
  const note = async (title: string, work: Promise<unknown>) => {
    const failure = await withTimeout(work).then(
      () => undefined,
      (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
    )
    results.set(title, failure ?? 'passed')
  }

  const folder = join(parent, runtime.name.replaceAll(/\W/g, '-'))
  mkdirSync(folder)
  const services = createServices()
  const names = Object.keys(services) as (keyof Services)[]
  const listening = await Promise.all(names.map((name) => listen(services[name])))
  const addresses = (field: 'baseUrl' | 'quickstartBaseUrl') =>
    Object.fromEntries(names.map((name, index) => [name, listening[index]?.[field]]))
  const constants = { baseUrls: addresses('baseUrl'), quickstartBaseUrls: addresses('quickstartBaseUrl') }
  const program = await buildProgram({ entry: runtime.entry, folder, constants })
  const started = await start(runtime, await runtime.startArguments(program), folder)
  try {
    const { origin } = started
    const subject: Subject = { services, origin, run: (step, query) => runStep(origin, step, query) }
    for (const check of checks) if (applies(check, runtime)) await note(check.title, check.verify(subject))
    if (runtime.ends) await note('ends', endByItself(started))
  } finally {
    await kill(started.child)
    await Promise.all(listening.map(({ close }) => close()))
  }
  await note('silent', assertSilent(started))
  return results
}

const applies = ({ needsSharing = false }: Check, { sharesWork }: Runtime): boolean => sharesWork || !needsSharing

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

interface Started {
  readonly child: ChildProcess
  readonly origin: string
  /** Everything it has written since it began to listen. */
  readonly output: () => string
}

async function start({ name, binary }: Runtime, args: readonly string[], cwd: string): Promise<Started> {
  const env = { ...process.env, NODE_ENV: 'development', NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' }
  const child = spawn(join(process.cwd(), binary), args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const chunks: string[] = []
  const written = () => chunks.join('')
  const portLine = /^\{.*"port":(\d+).*\}\n/m
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        chunks.push(String(chunk))
        const [, found] = portLine.exec(written()) ?? []
        if (found !== undefined) resolve(found)
      })
    }
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${name} does not start:\n${written()}`)))
  })
  return { child, origin: `http://127.0.0.1:${port}`, output: () => written().replace(portLine, '').trim() }
}

async function runStep(origin: string, step: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const response = await fetch(`${origin}/steps/${step}?${new URLSearchParams(query).toString()}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text)
}

/** Nothing but the server is closed; whatever else still keeps the process alive is a leak. */
async function endByItself({ child, origin }: Started): Promise<void> {
  const exited = once(child, 'exit')
  await (await fetch(`${origin}/end`)).text()
  const [code] = await exited
  if (code !== 0) throw new Error(`It ended with code ${code}.`)
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** No warning, no unhandled rejection, no complaint of the runtime. */
async function assertSilent({ output }: Started): Promise<void> {
  if (output() !== '') throw new Error(`It wrote:\n${output()}`)
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  const tooLate = sleep(patience, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`Nothing happened for ${patience / 1_000} s.`)
  })
  tooLate.catch(() => {})
  return Promise.race([work, tooLate]).finally(() => stop.abort())
}
