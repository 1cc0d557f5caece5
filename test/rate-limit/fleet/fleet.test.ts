import { describe, expect, it } from 'vitest'
import { calmScenario } from '../calmScenario.ts'
import { isDeep } from '../runs.ts'
import { type CallPlan, type Scenario, simulate, type Trace } from '../simulate.ts'

interface FleetPlan {
  readonly processes: number
  /** Calls of each process in a second. */
  readonly rate: number
  readonly seconds: number
  readonly limit: number
  /** Length of the window in ms. */
  readonly per: number
}

const hour = 3_600_000

/** Runs processes that each make calls at a steady rate. An update of the store takes 3 ms. */
async function run({ processes, rate, seconds, limit, per }: FleetPlan, more: Partial<Scenario> = {}): Promise<Trace> {
  const calls = Array.from({ length: processes }, (_, tab) =>
    Array.from({ length: rate * seconds }, (_call, index): CallPlan => {
      const at = Math.floor(tab * 7 + (index * 1_000) / rate + ((index * 7_919) % 13))
      return { at, tab, count: 1, priority: 'user', maxWait: 600_000 }
    }),
  )
  return simulate({
    ...calmScenario,
    service: { ...calmScenario.service, plan: [{ limit, per }] },
    isPlanKnown: true,
    calls: calls.flat(),
    trips: [{ requestDelay: 10, responseDelay: 10 }],
    store: [{ changeDelay: 1, resolveDelay: 1, notifyDelay: 1 }],
    jitter: [0.3],
    isFleet: true,
    processClocks: Array.from({ length: processes }, (_, tab) => ((tab % 3) - 1) * hour),
    ...more,
  })
}

const refused = ({ arrivals }: Trace) => arrivals.filter(({ status }) => status === 429).length
const sizeOf = (record: unknown) => JSON.stringify(record).length
const updatesPerCall = ({ records, calls }: Trace) => records.length / calls.length

function waitTimes({ calls }: Trace): number[] {
  return calls.map(({ waits: [wait] }) => (wait?.until ?? Infinity) - (wait?.from ?? 0)).toSorted((a, b) => a - b)
}

describe.each([1, 4, 16])('where there is room, %d processes with clocks an hour apart', (processes) => {
  const trace = run({ processes, rate: 20, seconds: 10, limit: 100_000, per: 10_000 })

  it('send everything without a refusal', async () => {
    const { requests, calls } = await trace
    expect([requests.length, refused(await trace)]).toEqual([calls.length, 0])
  })

  it('update the store at most once in five calls', async () => {
    expect(updatesPerCall(await trace)).toBeLessThanOrEqual(0.2)
  })

  it('let at least nine of ten calls leave at once', async () => {
    const waits = waitTimes(await trace)
    expect(waits[Math.floor(waits.length * 0.9)]).toBe(0)
  })

  it('keep a small record, whatever is in flight', async () => {
    const sizes = (await trace).records.map(sizeOf)
    expect(Math.max(...sizes)).toBeLessThan(700 + 120 * processes)
  })
})

it.each([
  { processes: 8, every: 1_000, limit: 100_000 },
  { processes: 8, every: 1_000, limit: 1_000 },
  { processes: 4, every: 3_300, limit: 1_000 },
])(
  '$processes processes with a call every $every ms seldom ask the store, and no call waits for that',
  async ({ processes, every, limit }) => {
    const calls = Array.from({ length: processes }, (_, tab) =>
      Array.from({ length: 40 }, (_call, index): CallPlan => {
        return { at: tab * 61 + index * every + ((index * 791) % 300), tab, count: 1, priority: 'user', maxWait: 0 }
      }),
    )
    const trace = await run({ processes, rate: 1, seconds: 1, limit, per: 60_000 }, { calls: calls.flat() })
    expect(trace.updates / trace.calls.length).toBeLessThan(0.5)
    expect(refused(trace)).toBe(0)
    // The first calls of a process and of a window ask.
    const later = trace.calls.filter(({ plan }) => plan.at % 60_000 > 2.5 * every && plan.at % 60_000 < 58_500)
    expect(waitTimes({ ...trace, calls: later }).at(-1)).toBe(0)
  },
)

it('around a reset hardly a call waits for the store, and processes do not write in the same moment', async () => {
  const calls = Array.from({ length: 8 }, (_, tab) =>
    Array.from({ length: 90 }, (_call, index): CallPlan => {
      return { at: tab * 11 + index * 1_000, tab, count: 1, priority: 'user', maxWait: 60_000 }
    }),
  )
  const trace = await run(
    { processes: 8, rate: 1, seconds: 1, limit: 2_000, per: 60_000 },
    { calls: calls.flat(), jitter: [0.1, 0.9, 0.3, 0.7, 0.5] },
  )
  const around = trace.calls.filter(({ plan }) => plan.at > 50_000 && plan.at < 70_000)
  // Of 159: two of each process would ask if they held nothing.
  expect(waitTimes({ ...trace, calls: around }).filter((time) => time > 0).length).toBeLessThan(8)
  // They renew leases that end with the window.
  const start = trace.calls[0]?.startedAt ?? 0
  const times = trace.records.map(({ updatedAt }) => updatedAt - start)
  const renewals = times.filter((time) => time > 56_000 && time < 59_500)
  expect(renewals.length).toBeGreaterThanOrEqual(8)
  expect(new Set(renewals.map((time) => Math.floor(time / 100))).size).toBeGreaterThanOrEqual(5)
})

it('what a process holds for long is given back as soon as another one waits', async () => {
  const call = (tab: number, at: number, count: number): CallPlan => {
    return { at, tab, count, priority: 'user', maxWait: 65_000 }
  }
  const calls = [...Array.from({ length: 16 }, (_, index) => call(0, index * 500, 1)), call(1, 10_000, 80)]
  const trace = await run({ processes: 2, rate: 1, seconds: 1, limit: 96, per: 60_000 }, { calls })
  const waits = waitTimes(trace)
  expect([refused(trace), trace.requests.length]).toEqual([0, 96])
  expect(waits.at(-1)).toBeLessThan(2_000)
})

it.each([
  { processes: 4, rate: 25, seconds: 10, limit: 250, per: 10_000, ideal: 30_000 },
  ...(isDeep ? [4, 16] : []).map((processes) => {
    return { processes, rate: 400 / processes, seconds: 10, limit: 1_000, per: 10_000, ideal: 30_000 }
  }),
  { processes: 16, rate: 2, seconds: 10, limit: 60, per: 60_000, ideal: 300_000 },
])('$processes processes that want more than $limit in $per ms use all of it', async ({ ideal, ...plan }) => {
  const trace = await run(plan)
  const last = Math.max(...trace.requests.map(({ sentAt }) => sentAt))
  expect(refused(trace)).toBe(0)
  expect(last - (trace.calls[0]?.startedAt ?? 0)).toBeLessThanOrEqual(1.05 * ideal)
})

describe('a process that is killed', () => {
  it('loses the units that it holds, and no other process sends too much', async () => {
    const killed = [500, 1_200, 2_800, 3_100].map((at, tab) => ({ at, tab }))
    const trace = await run({ processes: 6, rate: 30, seconds: 5, limit: 600, per: 60_000 }, { reloads: killed })
    expect(refused(trace)).toBe(0)
  })

  it('with the probe holds the others up for a second', async () => {
    const call = (tab: number, at: number): CallPlan => ({ at, tab, count: 1, priority: 'user', maxWait: 65_000 })
    const trace = await run(
      { processes: 1, rate: 1, seconds: 1, limit: 60, per: 60_000 },
      {
        calls: [call(0, 0), call(1, 100), call(2, 200)],
        trips: [{ requestDelay: 300, responseDelay: 300 }],
        reloads: [{ at: 100, tab: 0 }],
      },
    )
    const sentAfter = trace.requests.map(({ sentAt }) => sentAt - (trace.calls[0]?.startedAt ?? 0))
    expect(sentAfter[0]).toBeLessThan(100)
    expect(sentAfter[1]).toBeGreaterThan(900)
    expect(sentAfter[1]).toBeLessThan(1_100)
  })
})

it('a request that takes longer than a lease keeps its unit while its process lives', async () => {
  const call = (at: number): CallPlan => ({ at, tab: 0, count: 1, priority: 'user', maxWait: 0 })
  const trace = await run(
    { processes: 1, rate: 1, seconds: 1, limit: 60, per: 60_000 },
    {
      calls: [call(0), call(100)],
      trips: [
        { requestDelay: 10, responseDelay: 10 },
        { requestDelay: 15_000, responseDelay: 10 },
      ],
    },
  )
  const lost = trace.records.map(({ lostUnits }) => lostUnits)
  expect([trace.requests.length, Math.max(...lost)]).toEqual([2, 0])
  const later = (trace.requests[1]?.sentAt ?? 0) + 10_000
  const known = trace.records.filter(({ updatedAt }) => updatedAt <= later).at(-1)
  expect(Object.values(known?.inFlight ?? {}).some(({ until }) => until > later)).toBe(true)
})

it('a refusal that one process has received stops all of them at once, whatever they hold', async () => {
  const closure = { at: 2_000, length: 20_000 }
  const trace = await run(
    { processes: 4, rate: 20, seconds: 5, limit: 1_000, per: 60_000 },
    {
      service: { ...calmScenario.service, plan: [{ limit: 1_000, per: 60_000 }], closures: [closure] },
    },
  )
  const refusals = trace.requests.filter(({ arrival }) => arrival?.status === 429)
  const first = Math.min(...refusals.map(({ receivedAt = Infinity }) => receivedAt))
  // Those in flight, and those that leave until the store has told of it.
  const late = trace.requests.filter(({ sentAt, arrival }) => sentAt > first + 10 && arrival?.isDuringCooldown)
  expect(refusals.length).toBeGreaterThan(0)
  expect(late).toEqual([])
})

describe('processes that lose the store', () => {
  const limit = 60
  const per = 3_000

  /** Four processes with calls for all windows at once. Some of them lose the store. */
  async function lose(tabs: readonly number[], windows: number, length?: number): Promise<Trace> {
    const calls = [0, 1, 2, 3].map((tab): CallPlan => {
      return { at: tab, tab, count: (limit * windows) / 4, priority: 'user', maxWait: Infinity }
    })
    const storeBreaks = tabs.map((tab) => ({ at: 4_000, tab, length }))
    return run({ processes: 4, rate: 1, seconds: 1, limit, per }, { calls, storeBreaks })
  }

  function usedInWindows({ arrivals }: Trace): number[] {
    const used = new Map<number, number>()
    for (const { status, resetAt } of arrivals) {
      if (status === 200) used.set(resetAt, (used.get(resetAt) ?? 0) + 1)
    }
    return [...used.values()]
  }

  it.each([
    ['one of four', [2]],
    ['two of four', [0, 2]],
  ])('%s: no request is refused, and the others use each window', async (_name, tabs) => {
    const trace = await lose(tabs, 6, 6_000)
    expect(refused(trace)).toBe(0)
    expect(Math.min(...usedInWindows(trace).slice(0, -1))).toBeGreaterThanOrEqual(0.9 * limit)
  })

  // The first request of a window leaves after 3,575 ms, and its response tells the others.
  it.each([
    { at: 3_598, tab: 1, units: 300 },
    { at: 3_600, tab: 0, units: 60 },
    { at: 3_602, tab: 2, units: 60 },
    { at: 3_612, tab: 0, units: 60 },
    { at: 3_620, tab: 3, units: 60 },
  ])('one of four, at the start of a window ($at ms): all use each window, and none is refused', async (loss) => {
    const { at, tab, units } = loss
    const storeBreaks = [{ at, tab, length: 10_700 - at }]
    const calls = [0, 1, 2, 3].map((from): CallPlan => {
      return { at: from, tab: from, count: 2 * units, priority: 'user', maxWait: Infinity }
    })
    const plan = { processes: 4, rate: 1, seconds: 1, limit: units, per }
    const trace = await run(plan, { calls, storeBreaks, jitter: [0.3, 0.7, 0.1, 0.9] })
    expect(refused(trace)).toBe(0)
    expect(Math.min(...usedInWindows(trace).slice(0, 6))).toBeGreaterThanOrEqual(0.9 * units)
  })

  it('all of them, who come back in the middle of a window with requests in flight: none is refused', async () => {
    const storeBreaks = [0, 1, 2, 3].map((tab) => ({ at: 3_100, tab, length: 2_000 }))
    const calls = [0, 1, 2, 3].map((tab): CallPlan => {
      return { at: tab, tab, count: 300, priority: 'user', maxWait: Infinity }
    })
    const trips = [{ requestDelay: 60, responseDelay: 60 }]
    const plan = { processes: 4, rate: 1, seconds: 1, limit: 300, per }
    const trace = await run(plan, { calls, storeBreaks, trips, jitter: [0.3, 0.7, 0.1, 0.9] })
    expect(refused(trace)).toBe(0)
  })

  it.each([0, 5, 30, 4_000, 7_000])(
    'one of four that has never had it, with calls from %d ms on: it finds the others, and all use each window',
    async (from) => {
      const storeBreaks = [{ at: 0, tab: 2, length: 12_000 }]
      const calls = [0, 1, 2, 3].map((tab): CallPlan => {
        return { at: tab === 2 ? from : tab, tab, count: 90, priority: 'user', maxWait: Infinity }
      })
      const trace = await run({ processes: 4, rate: 1, seconds: 1, limit, per }, { calls, storeBreaks })
      expect(refused(trace)).toBeLessThanOrEqual(4)
      expect(Math.min(...usedInWindows(trace).slice(0, -1))).toBeGreaterThanOrEqual(0.9 * limit)
    },
  )

  it('one that is alone, and has never had it: from the second window on it sends at once what is left', async () => {
    const calls: CallPlan[] = [{ at: 0, tab: 0, count: 2 * limit, priority: 'user', maxWait: Infinity }]
    const storeBreaks = [{ at: 0, tab: 0 }]
    const { arrivals } = await run({ processes: 1, rate: 1, seconds: 1, limit, per }, { calls, storeBreaks })
    const [first, last] = [arrivals[limit]?.at ?? 0, arrivals.at(-1)?.at ?? Infinity]
    expect(arrivals).toHaveLength(2 * limit)
    // One request and its response, and then all others.
    expect(last - first).toBeLessThan(50)
  })

  it.each([
    { delay: 200, at: 4_000, tab: 0 },
    { delay: 200, at: 4_137, tab: 1 },
    { delay: 200, at: 4_822, tab: 2 },
    { delay: 130, at: 4_000, tab: 3 },
  ])('one of four, whose changes and news come $delay ms late: the others use each window', async (slow) => {
    const calls = [0, 1, 2, 3].map((tab): CallPlan => {
      return { at: tab, tab, count: 450, priority: 'user', maxWait: Infinity }
    })
    const storeDelays = [{ ...slow, length: 8_000 }]
    const plan = { processes: 4, rate: 1, seconds: 1, limit: 300, per }
    const trace = await run(plan, { calls, storeDelays, jitter: [0.3, 0.7, 0.1, 0.9] })
    expect(refused(trace)).toBe(0)
    expect(Math.min(...usedInWindows(trace).slice(0, -1))).toBeGreaterThanOrEqual(0.9 * 300)
  })

  it('all of them: together they use each window, from the second one on without a delay', async () => {
    const trace = await lose([0, 1, 2, 3], 4)
    expect(refused(trace)).toBe(0)
    expect(usedInWindows(trace).slice(0, 3)).toEqual([limit, limit, limit])
    const { arrivals } = trace
    const start = arrivals.find(({ resetAt }) => resetAt === arrivals.at(-1)?.resetAt)
    expect((start?.at ?? 0) - (start?.resetAt ?? 0) + per).toBeLessThan(1_000)
  })

  it('all of them for two seconds: all is done as soon as with the store', async () => {
    expect(usedInWindows(await lose([0, 1, 2, 3], 5, 2_000))).toEqual([limit, limit, limit, limit, limit])
  })
})

describe('another program that uses the key', () => {
  const [limit, per] = [60, 3_000]

  /** Four processes with calls for eight windows at once. The other program uses units at some times. */
  async function share(otherUsage: Scenario['service']['otherUsage']): Promise<Trace> {
    const calls = [0, 1, 2, 3].map((tab): CallPlan => {
      return { at: tab, tab, count: (limit * 8) / 4, priority: 'user', maxWait: Infinity }
    })
    const service = { ...calmScenario.service, plan: [{ limit, per }], otherUsage }
    const trips = [{ requestDelay: 60, responseDelay: 60 }]
    return run({ processes: 4, rate: 1, seconds: 1, limit, per }, { calls, service, trips })
  }

  const completion = ({ arrivals }: Trace) => {
    const [first] = arrivals
    return ((arrivals.at(-1)?.at ?? 0) - (first?.resetAt ?? 0) + per) / (7 * per)
  }

  it('once: the fleet begins the next window', async () => {
    const trace = await share([{ at: 3_400, units: limit }])
    expect(refused(trace)).toBe(1)
    expect(completion(trace)).toBeLessThan(1.2)
  })

  it('two windows, while requests of processes that hear late of a refusal leave: the next one is used', async () => {
    const start = { at: 0, priority: 'user', maxWait: Infinity } as const
    const stream = (tab: number) =>
      Array.from({ length: 150 }, (_, index): CallPlan => ({ ...start, at: per + index * 40, tab, count: 1 }))
    const calls = [0, 1, 2, 3].flatMap((tab): CallPlan[] => [{ ...start, tab, count: 150 }, ...stream(tab)])
    const otherUsage = [4_800, 7_800].map((at) => ({ at, units: 600 }))
    const plan = { processes: 4, rate: 1, seconds: 1, limit: 600, per }
    const trace = await run(plan, {
      calls,
      service: { ...calmScenario.service, plan: [{ limit: 600, per }], otherUsage },
      trips: [10, 90, 45, 130, 70].map((delay) => ({ requestDelay: delay, responseDelay: delay })),
      store: [5, 55, 20, 40].map((delay) => ({ changeDelay: delay, resolveDelay: delay, notifyDelay: 2 * delay })),
    })
    const [first] = trace.arrivals
    const resets = new Set(trace.arrivals.map(({ resetAt }) => (resetAt - (first?.resetAt ?? 0)) / per))
    expect(refused(trace)).toBeGreaterThan(2)
    expect([...resets]).toEqual([0, 1, 2, 3])
  })

  it.each([100, 120, 160, 200, 240])('all the time, from %d ms on: the fleet leaves it a unit', async (from) => {
    const trace = await share(Array.from({ length: 200 }, (_, index) => ({ at: from + index * 170, units: 1 })))
    const resets = new Set(trace.arrivals.map(({ resetAt }) => resetAt))
    expect(Math.max(...resets) - Math.min(...resets)).toBe((resets.size - 1) * per)
    expect(refused(trace)).toBeLessThanOrEqual(3)
    expect(completion(trace)).toBeLessThan(1.25)
  })
})
