/**
 * Searches all orders of events of small worlds: `node test/run.mjs test/exhaustive/exhaustive.ts 600 "two faults" fleet`, with names of
 * `worlds.ts` and the seconds that a core works for each. Default: each world, for a minute. Each core searches one world at
 * a time. Other work of the machine makes a search last longer, and not smaller.
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { watchRejections } from './machine.ts'
import { installPlatform } from './platform.ts'
import { search, shorten } from './search.ts'
import { describeCounterexample, worlds } from './worlds.ts'

/** For millions of states. In MB. */
const maxHeap = 7_000
/** How often a long search says how far it is, in ms of a core. */
const reportTime = 60_000

/** Prints what a search has met, and returns whether it has found nothing wrong. */
async function searchWorld(name: string, seconds: number): Promise<boolean> {
  const createModel = worlds[name]
  if (!createModel) throw new Error(`There is no world "${name}". There are: ${Object.keys(worlds).join(', ')}.`)
  const start = performance.now()
  const usedBefore = process.cpuUsage()
  const worked = () => {
    const { user, system } = process.cpuUsage(usedBefore)
    return (user + system) / 1_000
  }
  let reported = 0
  let isFull = false
  const { states, steps, ends, depth, open, counterexample } = await search({
    createModel,
    isEnough: (progress) => {
      const core = worked()
      if (core < reported + reportTime) return core > seconds * 1_000
      reported = core
      isFull = process.memoryUsage().heapUsed > 0.8 * maxHeap * 1e6
      console.log(`  ${name}: ${progress.states} states, ${progress.open} open, after ${inSeconds(reported)}`)
      return isFull
    },
  })
  const core = worked()
  const rest = counterexample
    ? 'a counterexample'
    : open === 0
      ? 'searched to its end'
      : `${open} states are open${isFull ? ', and the memory is full' : ''}`
  console.log(
    `${name}: ${states} states, ${steps} steps, ${ends} ends, ${depth} events deep, in ${inSeconds(performance.now() - start)} ` +
      `(${inSeconds(core)} of a core, ${((states / core) * 1_000).toFixed()} states a second); ${rest}`,
  )
  if (!counterexample) return true
  console.log(describeCounterexample(name, await shorten(createModel(), counterexample)))
  return false
}

const inSeconds = (ms: number) => `${(ms / 1_000).toFixed()} s`

/** In a process of its own. Returns whether it has found nothing wrong. */
function searchApart(name: string, seconds: string): Promise<boolean> {
  const child = fork(process.argv[1] ?? '', [seconds, name], {
    execArgv: [`--max-old-space-size=${maxHeap}`, '--max-semi-space-size=64'],
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)))
}

const [seconds = '60', ...names] = process.argv.slice(2)
if (process.send) {
  installPlatform()
  watchRejections()
  if (!(await searchWorld(names[0] ?? '', Number(seconds)))) process.exitCode = 1
  process.disconnect()
} else {
  const left = names.length > 0 ? names : Object.keys(worlds)
  const searchOn = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift())
      if (!(await searchApart(name, seconds))) process.exitCode = 1
  }
  await Promise.all(Array.from({ length: availableParallelism() }, searchOn))
}
