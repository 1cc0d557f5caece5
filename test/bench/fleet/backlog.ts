import { setTimeout as sleep } from 'node:timers/promises'
import type { Figures } from './Figures.ts'
import { judge, type Knowledge, longestSilence } from './judge.ts'
import { type Lab, maxDuration } from './lab.ts'
import { preciseNow } from './preciseNow.ts'
import type { Quota, ReceivedRequest, Upstream } from './upstream.ts'

/**
 * Begins all calls at once, as many as that number of windows allows.
 *
 * @param incident - what happens meanwhile. It gets the start of the first window (epoch ms)
 */
export async function backlog(
  lab: Lab,
  windows: number,
  incident: (start: number) => Promise<void> = async () => {},
  knowledge: Knowledge = 'shared',
): Promise<Figures> {
  const { upstream, processes } = lab
  const { limit, per } = upstream.quota
  await untilWindow(upstream.quota)
  const start = Math.floor(preciseNow() / per) * per
  const size = processes.length
  const calls = Math.floor((limit * windows) / size)
  await Promise.all([lab.work({ calls, concurrency: calls }), Promise.race([incident(start), sleep(maxDuration)])])
  const lastSentAt = Math.max(...upstream.requests.map(({ sentAt }) => sentAt))
  return {
    processes: size,
    ...(await judge(lab, knowledge)),
    completion: (lastSentAt - start) / ((windows - 1) * per),
    silence: longestSilence(upstream),
    details: [describeWindows(upstream)],
  }
}

/** Until that many ms after the next window of the service has begun. */
export async function untilWindow({ per }: Quota, after = 0): Promise<void> {
  await sleep(per - (preciseNow() % per) + after)
}

export function describeWindows({ requests, quota: { per } }: Upstream): string {
  const windowOf = ({ receivedAt }: ReceivedRequest) => Math.floor(receivedAt / per)
  const lines = [...new Set(requests.map(windowOf))].map((window) => {
    const received = requests.filter((request) => windowOf(request) === window)
    const times = received.map(({ receivedAt }) => Math.round(receivedAt - window * per))
    const refused = received.filter(({ status }) => status !== 201).length
    return `${received.length} (${refused} refused) from ${Math.min(...times)} to ${Math.max(...times)} ms`
  })
  return `Requests in each window of the service: ${lines.join('; ')}`
}
