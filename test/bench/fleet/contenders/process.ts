/** A process that sends the same calls through a limiter of somebody else, and again after a 429. */
import { setTimeout as sleep } from 'node:timers/promises'
import { preciseNow } from '../preciseNow.ts'
import type { FromProcess, ProcessOptions, Report, ToProcess, Work } from '../Work.ts'
import { limiters } from './limiters.ts'

const options = JSON.parse(process.argv[2] ?? '') as ProcessOptions
// Before anything that may hang: no process outlives the benchmark.
process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()

const { id, baseUrl, plan, redisUrl = '', contender = '' } = options
const enter = await limiters[contender]?.(redisUrl, plan)
if (!enter) throw new Error(`There is no contender "${contender}".`)

const failed: Record<string, number> = {}
let calls = 0
let succeeded = 0

async function call(): Promise<void> {
  calls += 1
  const path = `${baseUrl}/jobs/${id}-${calls}`
  const calledAt = preciseNow()
  try {
    for (;;) {
      await enter?.()
      const now = preciseNow()
      const headers = { 'X-Sender': id, 'X-Sent-At': String(now), 'X-Held-For': String(now - calledAt) }
      const response = await fetch(path, { method: 'POST', headers })
      await response.text()
      if (response.status === 429) {
        await sleep(Number(response.headers.get('Retry-After')) * 1_000)
        continue
      }
      if (response.status !== 201) throw new Error(`status ${response.status}`)
      succeeded += 1
      return
    }
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown'
    failed[name] = (failed[name] ?? 0) + 1
  }
}

const send = (message: FromProcess) => void process.send?.(message)
const report = (): Report => {
  const { user, system } = process.cpuUsage()
  return { calls, succeeded, failed, durations: [], commands: {}, outages: 0, cpu: (user + system) / 1_000 }
}

async function work({ calls: count = 0 }: Work): Promise<void> {
  await Promise.all(Array.from({ length: count }, call))
  send({ type: 'done', report: report() })
}

process.on('message', (message: ToProcess) => {
  if (message.type === 'work') void work(message.work)
  else if (message.type === 'report') send({ type: 'report', report: report() })
})
send({ type: 'ready' })
