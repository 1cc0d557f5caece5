import { setTimeout as sleep } from 'node:timers/promises'
import type { Figures } from './Figures.ts'
import { judge, percentiles, sum } from './judge.ts'
import { type Lab, readReports } from './lab.ts'
import { preciseNow } from './preciseNow.ts'
import { readSize, readUsage } from './redisUsage.ts'
import type { Report, Work } from './Work.ts'

const second = 1_000

/**
 * Measures the work for four seconds, or as many as given, after a warm-up of three seconds at most, or as many as given.
 */
export async function measure(lab: Lab, work: Work, length = 4, warmUpLength = 3): Promise<Figures> {
  const { upstream, processes, observer } = lab
  const done = lab.work(work)
  await warmUp(lab, warmUpLength)
  const redisBefore = await readUsage(observer)
  const before = await readReports(lab)
  const start = preciseNow()
  const first = upstream.requests.length
  await sleep(length * second)
  const measured = upstream.requests.slice(first)
  const seconds = (preciseNow() - start) / second
  const after = await readReports(lab)
  const redisAfter = await readUsage(observer)
  const recordSize = await readSize(observer)
  for (const { stop } of processes) stop()
  await done
  const perCall = (count: number) => count / measured.length
  const commands = Object.entries(redisAfter.commands).map(
    ([name, count]) => `${name} ${perCall(count - (redisBefore.commands[name] ?? 0)).toFixed(3)}`,
  )
  return {
    processes: processes.length,
    ...(await judge(lab)),
    callsPerSecond: measured.length / seconds,
    cpu: perCall(cpuOf(after) - cpuOf(before)),
    roundTrips: perCall(commandsOf(after) - commandsOf(before)),
    bytes: perCall(redisAfter.bytes - redisBefore.bytes),
    recordSize,
    held: percentiles(measured.map(({ heldFor }) => heldFor)),
    took: percentiles(after.flatMap(({ durations }, index) => durations.slice(before[index]?.durations.length))),
    details: [`Redis commands per call, those inside of scripts included: ${commands.join(', ')}`],
  }
}

/** Until engines have compiled the code, or as many seconds. */
async function warmUp({ upstream, processes }: Lab, length: number): Promise<void> {
  const end = preciseNow() + length * second
  while (upstream.requests.length < processes.length * 200 && preciseNow() < end) await sleep(50)
}

const cpuOf = (reports: readonly Report[]) => sum(reports.map(({ cpu }) => cpu))
const commandsOf = (reports: readonly Report[]) => sum(reports.flatMap(({ commands: counts }) => Object.values(counts)))
