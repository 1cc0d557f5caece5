import { createSharedKnowledge } from '../storm/createSharedKnowledge.ts'
import { callsPerTab, isRefusal, type LoadEvent, type Run } from './runTabs.ts'

/** What one client did on one server. */
export interface Verdict {
  readonly settled: number
  readonly succeeded: number
  /** The calls that had to settle. */
  readonly calls: number
  /** Without preflights, those of the other program included. */
  readonly requests: number
  readonly refused: number
  /** Requests that left in a wait, later than `tolerance` after any tab had received the refusal. */
  readonly late: number
  /** Requests that left in a wait, but sooner. */
  readonly early: number
  /** When the last of those left, in ms after the refusal. */
  readonly lastEarly: number
  readonly duplicates: number
  /** ms */
  readonly duration: number
}

/** How long after a refusal in one tab a request of any tab may leave, in ms. */
export const tolerance = 250

export function judge({ events, log, surviving }: Run): Verdict {
  const settled = events.flatMap((event) => (event.type === 'settled' && surviving.includes(event.load) ? [event] : []))
  const delays = sentInWaits(events, log.refusals)
  const early = delays.filter((delay) => delay <= tolerance)
  const times = events.map(({ at }) => at)
  return {
    settled: settled.length,
    succeeded: settled.filter(({ succeeded }) => succeeded).length,
    calls: surviving.length * callsPerTab,
    requests: log.requests,
    refused: log.refusals.length,
    late: delays.length - early.length,
    early: early.length,
    lastEarly: Math.max(0, ...early),
    duplicates: log.duplicates,
    duration: Math.max(...times) - Math.min(...times),
  }
}

/** How long after the refusal each request left that left in a wait, in ms. */
function sentInWaits(events: readonly LoadEvent[], refusals: Run['log']['refusals']): number[] {
  const knowledge = createSharedKnowledge()
  const sentAt = new Map<string, number>()
  let refusedAt = 0
  const delays: number[] = []
  for (const event of events.toSorted((one, other) => one.at - other.at)) {
    if (event.type === 'settled') continue
    const request = `${event.load} ${event.id}`
    if (event.type === 'sent') {
      sentAt.set(request, event.at)
      if (knowledge.isCoolingDown(event.at)) delays.push(event.at - refusedAt)
      continue
    }
    const left = sentAt.get(request) ?? event.at
    if (!isRefusal(event.status)) {
      knowledge.passed(left)
      continue
    }
    if (!knowledge.isCoolingDown(event.at)) refusedAt = event.at
    const announced = refusals.findLast(({ at, until }) => at <= event.at + 20 && until !== undefined)
    if (announced?.until === undefined) knowledge.unexplained(left, event.at)
    else knowledge.explained(announced.until)
  }
  return delays
}
