import type { Figures, Percentiles } from './Figures.ts'
import { type Lab, readReports } from './lab.ts'
import { grace, type ReceivedRequest, type Upstream } from './upstream.ts'

/** Whether a process can know what others know, or only its own refusals. */
export type Knowledge = 'shared' | 'own'

/** What the service has seen of a fleet. */
export async function judge(
  lab: Lab,
  knowledge: Knowledge = 'shared',
): Promise<Pick<Figures, 'refused' | 'inCooldown' | 'isBanned' | 'outages' | 'duplicates' | 'unsettled'>> {
  const { requests, isBanned } = lab.upstream
  const reports = await readReports(lab)
  const accepted = requests.filter(({ status }) => status === 201)
  const isKnown = ({ afterRefusal = 0, afterOwnRefusal = 0 }: ReceivedRequest) =>
    (knowledge === 'shared' ? afterRefusal : afterOwnRefusal) > grace
  return {
    refused: requests.filter(({ status, isUsedUp }) => status === 429 && !isUsedUp).length,
    inCooldown: requests.filter(isKnown).length,
    isBanned: isBanned(),
    outages: sum(reports.map(({ outages }) => outages)),
    duplicates: accepted.length - new Set(accepted.map(({ path }) => path)).size,
    unsettled: sum(reports.map(({ calls, succeeded }) => calls - succeeded)),
  }
}

export function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** The longest time between two requests in which the service would have accepted one. In ms. */
export function longestSilence({ requests, quota: { per } }: Upstream): number {
  const silences = requests.slice(1).map(({ receivedAt }, index) => {
    const { remaining = 0, receivedAt: before = receivedAt } = requests[index] ?? {}
    const opensAt = remaining > 0 ? before : (Math.floor(before / per) + 1) * per
    return receivedAt - opensAt
  })
  return Math.max(0, ...silences)
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
