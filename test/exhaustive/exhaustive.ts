/**
 * Searches all orders of events of small worlds: `npm run test:exhaustive -- "two faults" 600`, with the name of a world of
 * `worlds.ts` and a time in seconds. Without a name: each world, for a minute. The search goes on where the last one has
 * stopped with `-- "two faults" 600 keep`.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { installPlatform } from './platform.ts'
import { createSeenStates, eventsOf, type Path, type Progress, search, shorten } from './search.ts'
import { describeCounterexample, worlds } from './worlds.ts'

interface Task {
  readonly name: string
  readonly until: number
  readonly memory: SharedArrayBuffer
  readonly from: Progress['open']
}

/** States that a table holds. In bytes: eight times as many. */
const capacity = 2 ** 25
const folder = 'node_modules/.cache/exhaustive'

function worldOf(name: string) {
  const createWorld = worlds[name]
  if (!createWorld) throw new Error(`There is no world "${name}". There are: ${Object.keys(worlds).join(', ')}.`)
  return createWorld
}

function searchPart({ name, until, memory, from }: Task, maxOpen = Infinity): Promise<Progress> {
  let paths = 0
  return search({
    createWorld: worldOf(name),
    seen: createSeenStates(capacity, memory),
    from,
    isEnough: () => (paths += 1) >= maxOpen || Date.now() > until,
  })
}

function searchInThread(task: Task): Promise<Progress> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: 128 },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

interface Kept {
  readonly states: number
  readonly steps: number
  readonly ends: number
  readonly depth: number
  readonly open: readonly (readonly string[])[]
}

const none: Kept = { states: 0, steps: 0, ends: 0, depth: 0, open: [[]] }

const toPath = (events: readonly string[]) =>
  events.reduce<Path | undefined>((before, event) => ({ before, event }), undefined)

/** Prints what a search has met, and returns whether it has found nothing wrong. */
async function searchWorld(name: string, seconds: number, keeps: boolean): Promise<boolean> {
  const start = Date.now()
  const used = process.cpuUsage()
  const until = start + seconds * 1_000
  const file = `${folder}/${name.replaceAll(' ', '-')}`
  const memory = new SharedArrayBuffer(capacity * 8)
  let kept = none
  try {
    if (keeps) {
      kept = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
      new Uint8Array(memory).set(readFileSync(`${file}.bin`))
    }
  } catch {
    // The first search of this world.
  }
  const first = await searchPart({ name, until, memory, from: kept.open.map(toPath) }, 100)
  const threads = Math.min(availableParallelism(), Math.max(1, first.open.length))
  const parts = Array.from({ length: threads }, (_, thread) =>
    first.open.filter((_path, index) => index % threads === thread),
  )
  const isFound = first.counterexample !== undefined
  const found = isFound ? [] : await Promise.all(parts.map((from) => searchInThread({ name, until, memory, from })))
  const all = [{ ...first, open: isFound ? first.open : [] }, ...found]
  const sum = (count: (part: Progress | Kept) => number) =>
    [kept, ...all].reduce((total, part) => total + count(part), 0)
  const open = all.flatMap((part) => part.open)
  const depth = Math.max(kept.depth, ...all.map((part) => part.depth))
  const [states, steps, ends] = [sum((part) => part.states), sum((part) => part.steps), sum((part) => part.ends)]
  const time = ((Date.now() - start) / 1_000).toFixed(0)
  const { user, system } = process.cpuUsage(used)
  const processor = ((user + system) / 1e6).toFixed(0)
  const rest = open.length === 0 ? 'all of them' : `${open.length} paths are left`
  console.log(
    `${name}: ${states} states, ${steps} steps, ${ends} ends, ${depth} events deep, in ${time} s (${processor} s of a core); ${rest}`,
  )
  if (keeps) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${file}.json`, JSON.stringify({ states, steps, ends, depth, open: open.map(eventsOf) }))
    writeFileSync(`${file}.bin`, new Uint8Array(memory))
  } else rmSync(`${file}.json`, { force: true })
  const counterexample = all.find((part) => part.counterexample)?.counterexample
  if (!counterexample) return true
  console.log(describeCounterexample(name, await shorten(worldOf(name), counterexample)))
  return false
}

installPlatform()
if (isMainThread) {
  const [name, seconds = '60', keep] = process.argv.slice(2)
  for (const one of name === undefined ? Object.keys(worlds) : [name]) {
    if (!(await searchWorld(one, Number(seconds), keep === 'keep'))) process.exitCode = 1
  }
} else parentPort?.postMessage(await searchPart(workerData))
