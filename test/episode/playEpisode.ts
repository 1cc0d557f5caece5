import { calmScenario } from '../rate-limit/calmScenario.ts'
import { simulate } from '../rate-limit/simulate.ts'

/** Requests that left at the same moment and got the same response. */
export interface RequestGroup {
  /** ms from the start. */
  readonly at: number
  readonly status: number
  readonly count: number
}

/** What happens to 200 calls under a limit of 60 a minute. Times are ms from the start. */
export interface Episode {
  readonly requests: readonly RequestGroup[]
  readonly cooldown: { readonly from: number; readonly until: number }
  /** When each window of the service ends. */
  readonly windowEnds: readonly number[]
  readonly succeeded: number
}

const calls = 200
const minute = 60_000
/** The first window of the service is twelve seconds old when the calls begin. */
const startsAt = 12_000
/** Another program with the same key spends so many units of the second window, after the gate has probed it. */
const otherUsage = [{ at: 48_900, units: 10 }]

/** Plays the episode with the real gate, in virtual time, against the model of a service. */
export async function playEpisode(): Promise<Episode> {
  const trace = await simulate({
    ...calmScenario,
    isPlanKnown: true,
    startsAt,
    service: { ...calmScenario.service, otherUsage },
    calls: [{ at: 0, tab: 0, count: calls, priority: 'user', maxWait: Infinity }],
    trips: [{ requestDelay: 40, responseDelay: 60 }],
  })
  const start = Math.min(...trace.calls.map(({ startedAt }) => startedAt))
  const requests = new Map<string, RequestGroup>()
  for (const { sentAt, status = 0 } of trace.requests) {
    const key = `${sentAt} ${status}`
    requests.set(key, { at: sentAt - start, status, count: (requests.get(key)?.count ?? 0) + 1 })
  }
  const refused = trace.records.find(({ cooldownUntil }) => cooldownUntil > 0)
  if (!refused) throw new Error('The service has refused nothing.')
  const last = Math.max(...[...requests.values()].map(({ at }) => at))
  const windowEnds = []
  for (let end = minute - startsAt; end < last; end += minute) windowEnds.push(end)
  return {
    requests: [...requests.values()],
    cooldown: { from: refused.updatedAt - start, until: refused.cooldownUntil - start },
    windowEnds,
    succeeded: trace.calls.filter(({ outcome }) => outcome === 'succeeded').length,
  }
}
