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

/** A request, in the order in which they left. */
interface Sent {
  readonly load: string
  readonly id: number
  readonly at: number
  /** How long after a refusal it left, if it left before the end of the wait, in ms. */
  readonly afterRefusal: number | undefined
  receivedAt?: number
  status?: number
}

export function judge({ events, log, surviving }: Run): Verdict {
  const settled = events.flatMap((event) => (event.type === 'settled' && surviving.includes(event.load) ? [event] : []))
  const delays = sentRequests(events, log.refusals).flatMap(({ afterRefusal }) => afterRefusal ?? [])
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

/** Every request of the pages, as lines: sent and received (s), page, request, status. */
export function trace({ events, log }: Run): string {
  const sent = sentRequests(events, log.refusals)
  const since = (time: number | undefined) =>
    time === undefined ? '…' : ((time - (sent[0]?.at ?? 0)) / 1_000).toFixed(3).padStart(7)
  return sent
    .map(({ load, id, at, receivedAt, status = '…', afterRefusal }) => {
      const wait = afterRefusal === undefined ? '' : `${afterRefusal} ms AFTER A REFUSAL`
      return `${since(at)}  ${since(receivedAt)}  ${load} ${id}  ${status}  ${wait}`.trimEnd()
    })
    .join('\n')
}

function sentRequests(events: readonly LoadEvent[], refusals: Run['log']['refusals']): Sent[] {
  const knowledge = createSharedKnowledge()
  const requests = new Map<string, Sent>()
  let refusedAt = 0
  for (const event of events.toSorted((one, other) => one.at - other.at)) {
    const { type, load, id, at } = event
    if (type === 'settled') continue
    if (type === 'sent') {
      const afterRefusal = knowledge.isCoolingDown(at) ? at - refusedAt : undefined
      requests.set(`${load} ${id}`, { load, id, at, afterRefusal })
      continue
    }
    const request = requests.get(`${load} ${id}`)
    if (!request) continue
    request.receivedAt = at
    request.status = event.status
    // A request that left so soon after a refusal was under way: it says nothing about the time after it.
    const leftAt = request.at - tolerance
    if (!isRefusal(event.status)) {
      knowledge.passed(leftAt)
      continue
    }
    if (!knowledge.isCoolingDown(at)) refusedAt = at
    // The server notes the time a little before or after the page.
    const announced = refusals.findLast((refusal) => refusal.at <= at + 20)?.until
    if (announced === undefined) knowledge.unexplained(leftAt, at)
    else knowledge.explained(announced)
  }
  return [...requests.values()]
}
