import { operations } from '../../../src/client.ts'
import { createPetstoreService } from '../../../src/testing.ts'
import type { Contender, PageClient } from './Contender.ts'
import { createNetwork, type Network } from './network.ts'
import { createPlanner, minute } from './planner.ts'
import type { CallRecord, Page, Scenario, ScenarioContext, Variant } from './scenarios.ts'
import { createRandom, startVirtualTime } from '../virtualTime.ts'

/** A run that sends so many requests is cut off. */
export const maxRequests = 20_000

export interface Outcome {
  readonly calls: readonly CallRecord[]
  readonly exchanges: Network['exchanges']
  readonly start: number
  /** Requests that the service refused, whatever the page could see of it. */
  readonly refused: number
  readonly duringCooldown: number
  readonly bans: number
  readonly duplicates: number
  /** Calls that failed or did not end, although `couldSucceed`. */
  readonly avoidable: number
  readonly ending: 'ended' | 'too late' | 'stuck' | 'runaway'
}

const banTime = 5 * minute
const apiKey = 'storm'

type MutableRecord = { -readonly [Field in keyof CallRecord]: CallRecord[Field] }

/** Runs one variant of a scenario with one client. Each run is the same. */
export async function runScenario(contender: Contender, scenario: Scenario, variant: Variant): Promise<Outcome> {
  const start = Date.UTC(2026, 0, 1) + scenario.startsAt
  // Tells petstore-react that it is in a page: on a server it would expect that CORS hides no status.
  Object.assign(globalThis, { location: new URL('https://app.test') })
  const time = startVirtualTime(start, 1)
  time.setAhead(variant.skew ?? 0)
  try {
    return await runIn(time, start, contender, scenario, variant)
  } finally {
    time.stop()
  }
}

async function runIn(
  time: ReturnType<typeof startVirtualTime>,
  start: number,
  contender: Contender,
  scenario: Scenario,
  variant: Variant,
): Promise<Outcome> {
  let setBack = 0
  const service = createPetstoreService({
    keys: [apiKey],
    categories: 0,
    now: () => time.now() - setBack,
    ban: { after: 3, duration: banTime },
    operations: [{ operation: operations.getPet, handle: ({ params }) => ({ body: { id: params['petId'] ?? '' } }) }],
  })
  const latencies = createRandom(2)
  let onRunaway = () => {}
  const cutOff = new Promise<'runaway'>((resolve) => {
    onRunaway = () => resolve('runaway')
  })
  const network = createNetwork({
    service,
    time,
    latency: () => 80 + Math.floor(latencies() * 40),
    hiddenHeaders: variant.hiddenHeaders ?? [],
    retryAfter: variant.retryAfter,
    hidesRefusals: variant.hidesRefusals ?? false,
    refusalBody: variant.refusalBody,
    fault: scenario.faults?.() ?? (() => undefined),
    cap: maxRequests,
    onRunaway,
  })
  const planner = createPlanner(time.now)
  const open = contender.start(planner)
  const records = new Set<MutableRecord>()
  let pages = 0

  async function useUp(units: number): Promise<void> {
    planner.useUp(units)
    // A minute has 60 units. More are spent in the minutes before this one, for which the service's clock is set back.
    for (let done = 0; done < units; done += 1) {
      setBack = Math.floor((units - 1 - done) / 60) * minute
      const headers = { Authorization: `Bearer ${apiKey}` }
      const { status } = await service.fetch(`${service.baseUrl}/pets/0`, { headers })
      if (status !== 200) throw new Error(`Using up the quota met status ${status}.`)
    }
    setBack = 0
  }

  function openPage({ waitsForever }: Pick<Scenario, 'waitsForever'> = scenario): Page {
    const pageId = `${contender.name} ${scenario.title} ${variant.name} ${pages++}`
    let isOpen = true
    const environment = {
      baseUrl: service.baseUrl,
      apiKey,
      fetch: network.fetchFrom(pageId, () => isOpen),
      waitsForever,
      pageId,
    }
    const client: PageClient = open(environment)
    const pageRecords = new Set<MutableRecord>()
    const recordCall = async (
      kind: CallRecord['kind'],
      body: string,
      expected: string,
      call: () => Promise<unknown>,
    ) => {
      const record: MutableRecord = {
        kind,
        startedAt: time.now(),
        endedAt: undefined,
        succeeded: false,
        couldSucceed: !scenario.cannotSucceed,
      }
      records.add(record)
      pageRecords.add(record)
      try {
        const value = await call()
        record.succeeded = JSON.stringify(value)?.includes(expected) ?? false
      } catch {
        // After a fault, no client can know whether the service handled the POST, so none may repeat it.
        if (kind === 'post' && network.faultedBodies.has(body)) record.couldSucceed = false
      }
      record.endedAt = time.now()
    }
    return {
      get: (id, priority = 'user') => {
        const name = String(id)
        return recordCall('get', '', `"${name}"`, () => client.get(name, priority))
      },
      post: (name, priority = 'user') =>
        recordCall('post', JSON.stringify({ name }), JSON.stringify(name), () => client.post(name, priority)),
      close: () => {
        isOpen = false
        client.close?.()
        for (const record of pageRecords) records.delete(record)
      },
    }
  }

  const context: ScenarioContext = {
    start,
    now: time.now,
    sleep: time.sleep,
    until: (ms) => time.sleep(start + ms - time.now()),
    openPage,
    useUp,
  }
  let failure: unknown
  const finished = scenario.run(context).catch((error: unknown) => {
    failure = error
  })
  let wasCutOff = false
  void cutOff.then(() => {
    wasCutOff = true
  })
  const ending = await time.run(Promise.race([finished, cutOff]), start + scenario.maxDuration)
  if (failure) throw failure

  const names = service.categories().map(({ name }) => name)
  const calls = [...records]
  return {
    calls,
    exchanges: network.exchanges,
    start,
    refused: network.exchanges.filter(({ isRefused }) => isRefused).length,
    duringCooldown: network.exchanges.filter(({ duringCooldown }) => duringCooldown).length,
    bans: countBans(service.requests.filter(({ banned }) => banned).map(({ at }) => at)),
    duplicates: names.length - new Set(names).size,
    avoidable: calls.filter(({ succeeded, couldSucceed }) => !succeeded && couldSucceed).length,
    ending: wasCutOff ? 'runaway' : ending,
  }
}

/** @param refusedAt - the times of requests that were refused because of a ban; the first of each ban caused it */
function countBans(refusedAt: readonly number[]): number {
  let bans = 0
  let until = Number.NEGATIVE_INFINITY
  for (const at of refusedAt) {
    if (at < until) continue
    bans += 1
    until = at + banTime
  }
  return bans
}
