import { createClientWith } from '../../src/client/createPetstoreClient.ts'
import { createPetstoreService, type PlanName, type RecordedRequest } from '../../src/testing.ts'
import {
  getItem,
  honorRetryAfter,
  openFetchTab,
  openPetstoreTab,
  retryEverySecond,
  type SendRequest,
  type SimulatedTab,
} from './simulatedTabs.ts'
import { type TrafficScenario, type TrafficScenarioName, trafficScenarios } from './trafficScenarios.ts'
import { createVirtualTime, type VirtualTime } from './virtualTime.ts'

/** What the simulated app sends its requests with. */
export type ClientKind = 'petstore-react' | 'retry-after' | 'fetch'

/** What became of a request. */
export type RequestFate = 'succeeded' | 'refused' | 'in-cool-down' | 'banned'

/** A request as the service saw it. Times are ms since the simulation began. */
export interface SimulatedRequest {
  readonly at: number
  readonly fate: RequestFate
}

export interface SimulationResult {
  readonly requests: readonly SimulatedRequest[]
  /** How long the simulation ran, in ms of virtual time. */
  readonly duration: number
  /** The calls of pages that stay open: nobody needs the others. The same number for each client. */
  readonly calls: number
  readonly successes: number
  readonly failures: number
  /** When the last call settled; `undefined` if some never did. */
  readonly finishedAt: number | undefined
}

const minute = 60_000
/** When a simulation begins (epoch ms): six hours before the quota of the day resets, and 20 s into a minute. */
const startedAt = Date.UTC(2026, 0, 1, 18, 0, 20)
/** When a simulation stops at the latest, in ms of virtual time. */
export const maxDuration = 6 * minute
/** When the service resets the quota of a minute, in ms since the simulation began. */
export const minuteResets: readonly number[] = [0, 1, 2, 3, 4, 5].map((index) => 40_000 + index * minute)
/** How long the service takes to respond, in ms. */
const latency = 80

interface TrackedCall {
  settledAt: number | undefined
  hasSucceeded: boolean
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
  const time = createVirtualTime(startedAt - minute) // `createService` may use up the day first
  const { clock, sleep } = time
  const now = () => clock.now() - startedAt
  const service = createService(scenario, plan, time)
  await clock.run(startedAt)

  const send: SendRequest = async (request) => {
    const response = await service.fetch(request)
    return withoutStream(scenario.hidesHeaders ? new Response(response.body, { status: response.status }) : response)
  }
  function createTab(): SimulatedTab {
    if (clientKind === 'petstore-react') {
      const retry = scenario.maxWait === undefined ? {} : { maxWait: scenario.maxWait }
      const options = { ...service.providerProps(), fetch: send, retry }
      return openPetstoreTab(createClientWith({ clock, random: () => 0.5 }, options))
    }
    const retryPolicy = clientKind === 'fetch' ? retryEverySecond : honorRetryAfter
    return openFetchTab({ baseUrl: service.baseUrl, send, sleep, retryPolicy })
  }

  /** The calls of each page. Nobody needs those of a page that is closed or reloaded. */
  const openPages = new Set<TrackedCall[]>()
  function openTab(): SimulatedTab {
    const tab = createTab()
    const calls: TrackedCall[] = []
    openPages.add(calls)
    async function track(promise: Promise<unknown>): Promise<void> {
      const call: TrackedCall = { settledAt: undefined, hasSucceeded: false }
      calls.push(call)
      call.hasSucceeded = await promise.then(
        () => true,
        () => false,
      )
      call.settledAt = now()
    }
    return {
      get: (id, isBackground) => track(tab.get(id, isBackground)),
      post: (name) => track(tab.post(name)),
      close: () => {
        openPages.delete(calls)
        tab.close()
      },
    }
  }

  let hasSentAll = false
  void scenario.run({ sleepUntil: (at) => sleep(at - now()), openTab }).then(() => (hasSentAll = true))
  const neededCalls = () => [...openPages].flat()
  const isFinished = () => hasSentAll && neededCalls().every(({ settledAt }) => settledAt !== undefined)
  let duration = 0
  for (let at = 0; at <= maxDuration && !isFinished(); at += 1_000) {
    await clock.run(startedAt + at)
    signal?.throwIfAborted()
    duration = at + 1_000
  }
  const calls = neededCalls()
  const settled = calls.flatMap(({ settledAt }) => settledAt ?? [])
  const successes = calls.filter(({ hasSucceeded }) => hasSucceeded).length
  return {
    requests: service.requests
      .map((request) => ({ at: request.at - startedAt, fate: fateOf(request) }))
      .filter(({ at }) => at >= 0),
    duration: Math.min(duration, maxDuration),
    calls: calls.length,
    successes,
    failures: settled.length - successes,
    finishedAt: isFinished() ? Math.max(0, ...settled) : undefined,
  }
}

function createService({ isDayUsedUp = false }: TrafficScenario, plan: PlanName, { clock, sleep }: VirtualTime) {
  const service = createPetstoreService({
    // A daily limit of one request: to use up the plan's own day would take more requests than the simulation itself.
    plan: isDayUsedUp ? [{ limit: 1, per: 24 * 60 * minute }] : plan,
    latency,
    sleep,
    now: clock.now,
    operations: [{ operation: getItem, handle: () => ({ body: {} }) }],
  })
  if (isDayUsedUp) void service.fetch(`${service.baseUrl}/items/0`, { headers: { Authorization: 'Bearer demo' } })
  return service
}

/** A response without `body`, so that the client reads its text: reading a stream would take real time. */
const withoutStream = (response: Response): Response => Object.defineProperty(response, 'body', { value: null })

function fateOf({ banned, coolingDown, status }: RecordedRequest): RequestFate {
  if (banned) return 'banned'
  if (coolingDown) return 'in-cool-down'
  return status === 429 ? 'refused' : 'succeeded'
}
