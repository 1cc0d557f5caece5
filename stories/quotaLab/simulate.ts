import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import type { Clock } from '../../src/base/Clock.ts'
import { type PetstoreClient } from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { plans } from '../../src/testing/quota.ts'
import { createPetstoreService, type PlanName, type RecordedRequest } from '../../src/testing.ts'
import { createVirtualClock } from '../../test/rate-limit/virtualClock.ts'
import { createCallTracker } from './createCallTracker.ts'
import { getItem, openFetchTab, openPetstoreTab, type SendRequest } from './openTab.ts'
import { honorRetryAfter, retryEverySecond, type RetryPolicy } from './retryPolicies.ts'
import { settlePendingWork } from './settlePendingWork.ts'
import {
  type SimulatedTab,
  type TrafficScenario,
  type TrafficScenarioName,
  trafficScenarios,
} from './trafficScenarios.ts'

/** What the simulated app sends its requests with. */
export type ClientKind = 'petstore-react' | 'retry-after' | 'fetch'

/** What became of a request. */
export type RequestFate = 'succeeded' | 'failed' | 'refused' | 'in-cool-down' | 'banned'

/** A request as the service saw it. Times are ms since the simulation began. */
export interface SimulatedRequest {
  readonly at: number
  readonly fate: RequestFate
}

export interface SimulationResult {
  readonly requests: readonly SimulatedRequest[]
  /** How long it was simulated, in ms. */
  readonly duration: number
  /** The calls that somebody needs: those of pages that stay open. */
  readonly calls: number
  /** When those calls succeeded, in order. */
  readonly successes: readonly number[]
  readonly failedCalls: number
  /** When the last call settled; `undefined` if some never did. */
  readonly finishedAt: number | undefined
  /** How long the longest call took that ended, in ms. */
  readonly longestCall: number
}

const retryPolicies: Readonly<Record<Exclude<ClientKind, 'petstore-react'>, RetryPolicy>> = {
  'retry-after': honorRetryAfter,
  fetch: retryEverySecond,
}

const minute = 60_000
/** When a simulation begins, six hours before the day's quota is renewed, and how much of a minute has passed then. */
const startedAt = Date.UTC(2026, 0, 1, 18, 0, 20)
const timeIntoMinute = startedAt % minute
/** When the minutes of the service begin, other than the first, in ms since the simulation began. */
export function minuteStarts(duration: number): readonly number[] {
  const starts: number[] = []
  for (let start = minute - timeIntoMinute; start < duration; start += minute) starts.push(start)
  return starts
}

/** Where a simulation stops, in ms of virtual time. */
export const maxDuration = 6 * minute
/** How long the service takes to respond, in ms. */
const latency = 80

/** How many requests a minute has room for: none after the day's quota is used up. */
export function quotaPerMinute(scenarioName: TrafficScenarioName, plan: PlanName): number {
  const { isDayUsedUp = false }: TrafficScenario = trafficScenarios[scenarioName]
  return isDayUsedUp ? 0 : (plans[plan].find(({ per }) => per === minute)?.limit ?? Infinity)
}

/**
 * Runs a scenario in virtual time: minutes pass within a second.
 *
 * @throws the signal's reason when it is aborted
 */
export async function simulate(
  scenarioName: TrafficScenarioName,
  plan: PlanName,
  clientKind: ClientKind,
  signal?: AbortSignal,
): Promise<SimulationResult> {
  const scenario: TrafficScenario = trafficScenarios[scenarioName]
  const clock = createVirtualClock(startedAt - minute, settlePendingWork)
  const now = () => clock.now() - startedAt
  const sleep = createSharedSleep(clock)
  const service = createService(scenario, plan, clock, sleep)
  await clock.run(startedAt)

  const tracker = createCallTracker(now)
  const send: SendRequest = async (request) => {
    const response = await service.fetch(request)
    return withoutStream(scenario.hidesHeaders ? new Response(response.body, { status: response.status }) : response)
  }
  const rateLimitStore = createMemoryStore()
  const retry = scenario.maxWait === undefined ? {} : { maxWait: scenario.maxWait }
  const { baseUrl } = service
  const openClient = (fetch: SendRequest): PetstoreClient => {
    const options = { baseUrl, apiKey: 'demo', fetch, rateLimitStore, retry }
    return createClientWith({ clock, random: () => 0.5 }, options)
  }
  const openTab = (): SimulatedTab => {
    const page = tracker.openPage()
    if (clientKind === 'petstore-react') return openPetstoreTab(openClient(send), page)
    const retryPolicy = retryPolicies[clientKind]
    return openFetchTab({ baseUrl, send, sleep, now: clock.now, retryPolicy }, page)
  }

  const { rateLimit } = openClient(service.fetch)
  const unsubscribe = rateLimit.subscribe(() => {})
  // The first read of the store takes real time, so it must end before virtual time starts.
  await rateLimit.reset()

  let hasSentAll = false
  void scenario.run({ sleepUntil: (time) => sleep(time - now()), openTab }).then(() => (hasSentAll = true))
  const isFinished = () => hasSentAll && tracker.counts().pending === 0
  let duration = 0
  try {
    for (let at = 0; at <= maxDuration && !isFinished(); at += 1_000) {
      await clock.run(startedAt + at)
      signal?.throwIfAborted()
      duration = at + 1_000
    }
  } finally {
    unsubscribe()
  }
  const { work, successes, failed, lastSettledAt, longest } = tracker.counts()
  return {
    requests: service.requests.flatMap((request) => {
      const at = request.at - startedAt
      return at < 0 ? [] : [{ at, fate: fateOf(request) }]
    }),
    duration: Math.min(duration, maxDuration),
    calls: work,
    successes,
    failedCalls: failed,
    finishedAt: isFinished() ? lastSettledAt : undefined,
    longestCall: longest,
  }
}

function createService(scenario: TrafficScenario, plan: PlanName, clock: Clock, sleep: (ms: number) => Promise<void>) {
  const { isDayUsedUp = false } = scenario
  // A day of one request: to use up the plan's own day would take more requests than the simulation itself.
  const spentDay = { limit: 1, per: 24 * 60 * minute }
  const service = createPetstoreService({
    plan: isDayUsedUp ? [...plans[plan], spentDay] : plan,
    latency,
    sleep,
    now: clock.now,
    operations: [{ operation: getItem, handle: () => ({ body: {} }) }],
  })
  if (isDayUsedUp) void service.fetch(`${service.baseUrl}/items/0`, { headers: { Authorization: 'Bearer demo' } })
  return service
}

/**
 * Wakes everything that is due at the same moment in one step of the clock. Each step waits for the browser, and plain
 * `fetch` has a hundred calls that retry at the same moment.
 */
function createSharedSleep(clock: Clock): (ms: number) => Promise<void> {
  const sleepers = new Map<number, (() => void)[]>()
  return (ms) => {
    const at = clock.now() + ms
    const due = sleepers.get(at) ?? []
    if (due.length === 0) {
      sleepers.set(at, due)
      clock.wakeAfter(ms, () => {
        sleepers.delete(at)
        for (const wake of due) wake()
      })
    }
    return new Promise((resolve) => {
      due.push(resolve)
    })
  }
}

/** Makes the client read the body as text: reading a stream would take real time. */
const withoutStream = (response: Response): Response => Object.defineProperty(response, 'body', { value: null })

function fateOf({ banned, coolingDown, status }: RecordedRequest): RequestFate {
  if (banned) return 'banned'
  if (coolingDown) return 'in-cool-down'
  return status === 429 ? 'refused' : 'succeeded'
}
