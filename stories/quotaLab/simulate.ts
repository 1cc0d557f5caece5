import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import type { Clock } from '../../src/rate-limit/Clock.ts'
import { createMemoryStore, type PetstoreClient, type RateLimitState } from '../../src/index.ts'
import { createPetstoreService, type PlanName, type RecordedRequest } from '../../src/testing.ts'
import { createVirtualClock } from '../../test/rate-limit/virtualClock.ts'
import { createCallTracker } from './createCallTracker.ts'
import { getItem, openFetchTab, openPetstoreTab, type SendRequest } from './openTab.ts'
import { settlePendingWork } from './settlePendingWork.ts'
import {
  type SimulatedTab,
  type TrafficScenario,
  type TrafficScenarioName,
  trafficScenarios,
} from './trafficScenarios.ts'

/** What the simulated app sends its requests with. */
export type ClientKind = 'petstore-react' | 'fetch'

/** What became of a request. */
export type RequestFate = 'succeeded' | 'refused' | 'in-cool-down' | 'banned'

/** A request as the service saw it. Times are ms since the simulation began. */
export interface SimulatedRequest {
  readonly at: number
  readonly fate: RequestFate
}

/** The state at the end of one second. */
export interface Sample {
  readonly at: number
  /** Calls that wait to be sent or to be sent again. */
  readonly waitingCalls: number
  /** `undefined` where there is no gate. */
  readonly rateLimit: RateLimitState | undefined
}

export interface SimulationResult {
  readonly requests: readonly SimulatedRequest[]
  readonly samples: readonly Sample[]
  readonly calls: number
  readonly succeededCalls: number
  readonly failedCalls: number
  /** When the last call settled; `undefined` if some never did. */
  readonly finishedAt: number | undefined
}

/** Where a simulation stops, in ms of virtual time. */
const maxDuration = 15 * 60_000
/** How long the service takes to respond, in ms. */
const latency = 80

/** Runs a scenario in virtual time: minutes pass within a second. */
export async function simulate(
  scenarioName: TrafficScenarioName,
  plan: PlanName,
  clientKind: ClientKind,
): Promise<SimulationResult> {
  const scenario: TrafficScenario = trafficScenarios[scenarioName]
  const clock = createVirtualClock(Date.UTC(2026, 0, 1, 12, 0, 20), settlePendingWork)
  const startedAt = clock.now()
  const now = () => clock.now() - startedAt
  const sleep = createSharedSleep(clock)
  const service = createPetstoreService({
    plan,
    latency,
    sleep,
    now: clock.now,
    operations: [{ operation: getItem, handle: () => ({ body: {} }) }],
  })
  scenario.prepare?.(service, startedAt)

  const tracker = createCallTracker(now)
  const send: SendRequest = async (request) => {
    const response = await tracker.trackRequest(service.fetch(request))
    return withoutStream(scenario.hidesHeaders ? new Response(response.body, { status: response.status }) : response)
  }
  const rateLimitStore = createMemoryStore()
  const retry = scenario.maxWait === undefined ? {} : { maxWait: scenario.maxWait }
  const openClient = (fetch: SendRequest): PetstoreClient => {
    const options = { baseUrl: service.baseUrl, apiKey: 'demo', fetch, rateLimitStore, retry }
    return createClientWith({ clock, random: () => 0.5 }, options)
  }
  const openTab = (): SimulatedTab =>
    clientKind === 'fetch'
      ? openFetchTab({ baseUrl: service.baseUrl, send, sleep }, tracker)
      : openPetstoreTab(openClient(send), tracker)

  const { rateLimit } = openClient(service.fetch)
  const unsubscribe = rateLimit.subscribe(() => {})
  // The first read of the store takes real time, so it must end before virtual time starts.
  await rateLimit.reset()

  let hasSentAll = false
  void scenario.run({ now, sleepUntil: (time) => sleep(time - now()), openTab }).then(() => (hasSentAll = true))
  const isFinished = () => hasSentAll && tracker.counts().pending === 0
  const samples: Sample[] = []
  for (let at = 0; at <= maxDuration && !isFinished(); at += 1_000) {
    await clock.run(startedAt + at)
    samples.push({
      at,
      waitingCalls: tracker.counts().waiting,
      rateLimit: clientKind === 'fetch' ? undefined : rateLimit.getSnapshot(),
    })
  }
  unsubscribe()
  const { started, succeeded, failed, lastSettledAt } = tracker.counts()
  return {
    requests: service.requests.map((request) => ({ at: request.at - startedAt, fate: fateOf(request) })),
    samples,
    calls: started,
    succeededCalls: succeeded,
    failedCalls: failed,
    finishedAt: isFinished() ? lastSettledAt : undefined,
  }
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
