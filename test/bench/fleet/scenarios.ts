import { setTimeout as sleep } from 'node:timers/promises'
import { backlog, describeWindows, untilWindow } from './backlog.ts'
import type { Figures, Goals } from './Figures.ts'
import { heldFor, judge, longestSilence, sum } from './judge.ts'
import { inLab, type Lab, type LabOptions, maxDuration, readReports } from './lab.ts'
import { measure } from './measure.ts'
import { preciseNow } from './preciseNow.ts'
import type { Quota, ReceivedRequest } from './upstream.ts'
import type { VisitorReport } from './Work.ts'

/** One row of the table. */
export interface Scenario {
  /** Begins with a number, by which it is chosen. */
  readonly name: string
  readonly goals: Goals
  /** Whether it only shows what happens without the store. */
  readonly isComparison?: boolean
  readonly run: () => Promise<Figures>
}

const second = 1_000
const hour = 3_600 * second
/** No fleet can use it up. */
const plenty: Quota = { limit: 1_000_000, per: hour }
const small: Quota = { limit: 300, per: 3 * second }
const large: Quota = { limit: 600, per: 4 * second }

const none: Goals = { refused: 0 }
const fleets = [1, 4, 16]

const throughput = (processes: number, options: Partial<LabOptions> = {}) =>
  inLab({ processes, quota: plenty, ...options }, (lab) => measure(lab, { concurrency: Math.max(4, 64 / processes) }))

const spread = (processes: number, options: Partial<LabOptions> = {}) =>
  inLab({ processes, quota: plenty, latency: 20, ...options }, (lab) => measure(lab, { interval: processes * 10 }))

const room: readonly Scenario[] = [
  ...fleets.map((processes) => ({
    name: `1. As fast as possible, plain fetch: ${processes}`,
    goals: none,
    isComparison: true,
    run: () => throughput(processes, { isPlain: true, isWithoutRedis: true }),
  })),
  {
    name: '1. As fast as possible, no Redis: 1',
    goals: none,
    isComparison: true,
    run: () => throughput(1, { isWithoutRedis: true }),
  },
  {
    name: '1. As fast as possible, no Redis: 16',
    goals: none,
    isComparison: true,
    run: () => throughput(16, { isWithoutRedis: true }),
  },
  ...fleets.map((processes) => ({
    name: `1. As fast as possible: ${processes}`,
    goals: { ...none, roundTrips: 0.2, asFastAs: '1. As fast as possible: 1' },
    run: () => throughput(processes),
  })),
  {
    name: '2. 100 calls/s, no Redis: 1',
    goals: none,
    isComparison: true,
    run: () => spread(1, { isWithoutRedis: true }),
  },
  ...fleets.map((processes) => ({
    name: `2. 100 calls/s: ${processes}`,
    goals: { ...none, roundTrips: 0.2, p50: 1 },
    run: () => spread(processes),
  })),
]

const saturated = (processes: number, windows: number, options: Partial<LabOptions> = {}) =>
  inLab({ processes, quota: small, latency: 20, ...options }, (lab) => backlog(lab, windows))

const saturation: readonly Scenario[] = [
  {
    name: '3. Saturation, no Redis: 4',
    goals: none,
    isComparison: true,
    run: () => saturated(4, 3, { isWithoutRedis: true }),
  },
  ...fleets.map((processes) => ({
    name: `3. Saturation: ${processes}`,
    goals: { ...none, completion: 1.05 },
    run: () => saturated(processes, 8),
  })),
]

/** A backlog, then a rate with units to spare, until another program uses them up: two cool-downs of 2.2 s. */
const wrongClocks = (offset: number) =>
  inLab({ processes: 4, clockOffsets: [0, offset, -offset], quota: large, latency: 20 }, async (lab) => {
    const { upstream, processes } = lab
    const { completion } = await backlog(lab, 2)
    const done = lab.work({ interval: 40 })
    for (let turn = 0; turn < 2; turn += 1) {
      await untilWindow(upstream.quota, 1.8 * second)
      upstream.useUp()
    }
    await untilWindow(upstream.quota, second)
    for (const { stop } of processes) stop()
    await done
    return {
      processes: processes.length,
      ...(await judge(lab)),
      silence: longestSilence(upstream),
      details: [describeWindows(upstream), `Completion of the backlog: ${completion?.toFixed(3)} × ideal`],
    }
  })

const clocks: readonly Scenario[] = [
  { name: '4. Clocks ± 15 s', goals: { ...none, silence: 2 * second }, run: () => wrongClocks(15 * second) },
  { name: '4. Clocks ± 1 h', goals: { ...none, silence: 2 * second }, run: () => wrongClocks(hour) },
]

/** Kills the process whose request arrives first, of those that `isFatal` says, before it gets its response. */
const killed = (isFatal: (request: ReceivedRequest, window: number) => boolean) =>
  inLab({ processes: 4, quota: { limit: 120, per: 6 * second }, latency: 200 }, (lab) =>
    backlog(lab, 3, async (start) => {
      const { upstream, processes } = lab
      const victim = await new Promise<string>((resolve) => {
        upstream.onRequest((request) => {
          const window = Math.floor((request.receivedAt - start) / upstream.quota.per)
          if (isFatal(request, window)) resolve(request.sender)
        })
      })
      processes.find(({ id }) => id === victim)?.kill()
    }),
  )

const deaths: readonly Scenario[] = [
  {
    name: '5. kill -9 with units',
    goals: { ...none, silence: 6 * second },
    run: () => killed(({ remaining }) => remaining === 60),
  },
  {
    name: '5. kill -9 with the probe',
    goals: { ...none, silence: 6 * second },
    run: () => killed((_, window) => window === 1),
  },
]

/** A backlog while Redis is away. A process then knows only its own refusals. */
const outage = (windows: number, incident: (lab: Lab) => Promise<void>) => {
  const processes = 4
  return inLab({ processes, quota: small, latency: 20, tolerated: processes }, (lab) =>
    backlog(lab, windows, () => incident(lab), 'own'),
  )
}

const pausedWithRoom = () =>
  inLab({ processes: 4, quota: plenty, latency: 20 }, async (lab) => {
    const { redis, upstream, processes } = lab
    const done = lab.work({ interval: 20 })
    await sleep(2 * second)
    const first = upstream.requests.length
    redis.pause()
    await sleep(3 * second)
    redis.resume()
    await sleep(second)
    for (const { stop } of processes) stop()
    await done
    return { processes: processes.length, ...(await judge(lab, 'own')), held: heldFor(upstream.requests.slice(first)) }
  })

const outages: readonly Scenario[] = [
  { name: '6. Redis paused for 3 s, with room', goals: { refused: 0, maxHeld: 300 }, run: pausedWithRoom },
  {
    name: '6. Redis paused for 8 s',
    goals: { refused: 4 },
    run: () =>
      outage(6, async ({ redis }) => {
        await sleep(4 * second)
        redis.pause()
        await sleep(8 * second)
        redis.resume()
      }),
  },
  {
    name: '6. Redis killed, empty again after 2 s',
    goals: { refused: 4 },
    run: () =>
      outage(5, async ({ redis }) => {
        await sleep(4 * second)
        await redis.kill()
        await sleep(2 * second)
        await redis.restart()
      }),
  },
  {
    name: '6. Redis killed for good',
    goals: { refused: 4 },
    run: () =>
      outage(4, async ({ redis }) => {
        await sleep(4 * second)
        await redis.kill()
      }),
  },
]

/** Processes that make one call and exit with its response: six at a time, and more than a window allows. */
const jobs = () =>
  inLab({ processes: 0, quota: { limit: 10, per: 3 * second }, latency: 20 }, async (lab) => {
    const { upstream } = lab
    const most = 40
    let count = 0
    const runJobs = async () => {
      while (count < most) {
        count += 1
        const job = await lab.startProcess()
        await job.work({ calls: 1, concurrency: 1, exits: true })
      }
    }
    await Promise.race([Promise.all(Array.from({ length: 6 }, runJobs)), sleep(maxDuration)])
    count = most // no more of them
    const succeeded = upstream.requests.filter(({ status }) => status === 201).length
    return {
      processes: most,
      ...(await judge(lab)),
      unsettled: most - succeeded,
      held: heldFor(upstream.requests),
      silence: longestSilence(upstream),
      details: [describeWindows(upstream)],
    }
  })

const shortLived: readonly Scenario[] = [
  { name: '7. Processes that exit with their response', goals: { ...none, silence: 6 * second }, run: jobs },
]

/** One of four processes alone loses Redis for 8 s. */
const cutOff = (number: number, begin: (proxy: Lab['proxy']) => void) =>
  inLab({ processes: 4, quota: small, latency: 20, cutOff: number, tolerated: 4 }, (lab) =>
    backlog(
      lab,
      6,
      async () => {
        await sleep(4 * second)
        begin(lab.proxy)
        await sleep(8 * second)
        lab.proxy.pass()
      },
      'own',
    ),
  )

/** One of four processes has never had Redis, for 12 s: it cannot know that there are others. */
const unreached = (number: number) =>
  inLab({ processes: 4, quota: small, latency: 20, cutOff: number, tolerated: 16 }, (lab) => {
    lab.proxy.swallow()
    return backlog(
      lab,
      6,
      async () => {
        await sleep(12 * second)
        lab.proxy.pass()
      },
      'own',
    )
  })

const cutOffs: readonly Scenario[] = [
  ...[1, 2].flatMap((number) => {
    const client = number % 2 === 0 ? 'ioredis' : 'node-redis'
    return [
      {
        name: `8. One of four cut off by a hole, ${client}`,
        goals: { refused: 1 },
        run: () => cutOff(number, ({ swallow }) => swallow()),
      },
      {
        name: `8. One of four refused, ${client}`,
        goals: { refused: 1 },
        run: () => cutOff(number, ({ refuse }) => refuse()),
      },
      {
        name: `8. One of four with round trips of 400 ms, ${client}`,
        goals: { refused: 1 },
        run: () => cutOff(number, ({ delay }) => delay(200)),
      },
      {
        name: `8. One of four loses every fifth packet, ${client}`,
        goals: { refused: 1 },
        run: () => cutOff(number, ({ lose }) => lose(5)),
      },
      {
        name: `8. One of four has never reached it, ${client}`,
        goals: { refused: 4 },
        run: () => unreached(number),
      },
    ]
  }),
]

/** Redis asks all processes for a password that they do not know, for 8 s. */
const passwordChanged = () =>
  outage(6, async ({ observer }) => {
    await sleep(4 * second)
    await observer.configSet('requirepass', 'changed')
    for (const type of ['normal', 'pubsub'])
      await observer.sendCommand(['CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes'])
    await sleep(8 * second)
    await observer.configSet('requirepass', '')
  })

/** Four processes with calls for eight windows, while another program uses the key. */
const beside = (other: (lab: Lab) => Promise<void>) =>
  inLab({ processes: 4, quota: { limit: 60, per: 3 * second }, latency: 20 }, (lab) =>
    backlog(lab, 8, () => other(lab)),
  )

const others: readonly Scenario[] = [
  { name: '9. Redis has another password for 8 s', goals: { refused: 4 }, run: passwordChanged },
  {
    name: '9. Another program uses up one window',
    goals: { refused: 4, completion: 1.2 },
    run: () =>
      beside(async ({ upstream }) => {
        await untilWindow(upstream.quota)
        await new Promise<void>((resolve) => upstream.onRequest(() => resolve()))
        await sleep(30)
        upstream.useUp()
      }),
  },
  {
    name: '9. Another program uses the key all the time',
    goals: { refused: 4 },
    run: () =>
      beside(async ({ upstream }) => {
        for (let count = 0; count < 180; count += 1) {
          await sleep(167)
          upstream.use()
        }
      }),
  },
]

const light = (processes: number, interval: number, options: Partial<LabOptions> = {}) =>
  inLab({ processes, quota: { limit: 2_000, per: 60 * second }, latency: 20, ...options }, (lab) =>
    measure(lab, { interval }, 40, 6),
  )

const lightKeys: readonly Scenario[] = [
  {
    name: '10. One call a second by plain fetch',
    goals: none,
    isComparison: true,
    run: () => light(16, second, { isPlain: true, isWithoutRedis: true }),
  },
  {
    name: '10. One call a second in each process',
    goals: { ...none, roundTrips: 0.5, p99: 20 },
    run: () => light(16, second),
  },
  {
    name: '10. One call in 3.3 s in each process',
    goals: { ...none, roundTrips: 0.5, p99: 20 },
    run: () => light(4, 3.3 * second),
  },
  {
    name: '10. One call a second in each process, responses after 8 s',
    goals: { ...none, roundTrips: 1 },
    run: () => light(4, second, { latency: 8 * second }),
  },
  {
    name: '10. Redis responds after 200 ms',
    goals: { ...none, maxHeld: 250 },
    run: () =>
      inLab({ processes: 4, quota: plenty, latency: 20, cutOff: 'all' }, (lab) => {
        lab.proxy.delay(100)
        return measure(lab, { interval: 100 }, 10)
      }),
  },
]

/** What an app may use in place of the client. The names are those of `contenders/limiters.ts`. */
const contenders = [undefined, 'effect', 'rate-limiter-flexible', 'bottleneck', 'plain fetch']

const sideBySide: readonly Scenario[] = contenders.flatMap((contender) => {
  const name = contender ?? 'petstore-react'
  const run = (incident?: (lab: Lab) => Promise<void>) => () =>
    inLab(
      // No ban, so that each of them can finish.
      {
        processes: 4,
        quota: { limit: 60, per: 3 * second },
        latency: 20,
        tolerated: Infinity,
        ...(contender && { contender }),
      },
      (lab) => backlog(lab, 8, () => incident?.(lab) ?? Promise.resolve(), incident ? 'own' : 'shared'),
    )
  const isComparison = contender !== undefined
  return [
    { name: `11. Eight windows by ${name}`, goals: { ...none, completion: 1.05 }, isComparison, run: run() },
    {
      name: `12. The same by ${name}, Redis dies`,
      goals: { refused: 4 },
      isComparison,
      run: run(async ({ redis }) => {
        await sleep(4 * second)
        await redis.kill()
      }),
    },
  ]
})

/** Four windows of two handlers with ten visitors each, who want much more than there is. */
const handlers = () =>
  inLab({ processes: 2, quota: { limit: 60, per: 10 * second }, latency: 20 }, async (lab) => {
    const { upstream, processes } = lab
    await untilWindow(upstream.quota)
    const end = preciseNow() + 4 * upstream.quota.per
    const done = lab.work({ visitors: { count: 10, pause: 400 } })
    await sleep(4 * upstream.quota.per)
    for (const { stop } of processes) stop()
    await done
    const reports = (await readReports(lab)).flatMap((report) => report.visitors ?? [])
    const total = (name: keyof VisitorReport) => sum(reports.map((report) => report[name]))
    const visitors = {
      served: total('served'),
      refused: total('refused'),
      againstUnits: total('againstUnits'),
      afterWait: total('afterWait'),
    }
    const accepted = upstream.requests.filter(({ status }) => status === 201)
    return {
      processes: processes.length,
      ...(await judge(lab)),
      // Visitors send the same request again and again.
      duplicates: Math.max(0, accepted.length - visitors.served),
      visitors,
      used: accepted.filter(({ receivedAt }) => receivedAt < end).length / (4 * upstream.quota.limit),
      details: [describeWindows(upstream)],
    }
  })

const visited: readonly Scenario[] = [
  { name: '13. Two handlers with browsers’ clients', goals: { ...none, used: 0.75 }, run: handlers },
]

export const scenarios: readonly Scenario[] = [
  ...room,
  ...saturation,
  ...clocks,
  ...deaths,
  ...outages,
  ...shortLived,
  ...cutOffs,
  ...others,
  ...lightKeys,
  ...sideBySide,
  ...visited,
]
