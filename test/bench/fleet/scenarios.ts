import { setTimeout as sleep } from 'node:timers/promises'
import { backlog, untilWindow } from './backlog.ts'
import type { Figures, Goals } from './Figures.ts'
import { inLab, type Lab, type LabOptions } from './lab.ts'
import { measure } from './measure.ts'
import type { Quota } from './upstream.ts'

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
const small: Quota = { limit: 60, per: 3 * second }
const fleets = [1, 4, 16]

/** Calls a second of four processes together: a few, those of the plan Business, and twice as many. */
const rates = [1, 17, 36]
const atRate = (rate: number, options: Partial<LabOptions> = {}) =>
  inLab({ processes: 4, quota: plenty, latency: 20, ...options }, (lab) =>
    measure(lab, { interval: (4 / rate) * second }, 20, 6),
  )

const room: readonly Scenario[] = rates.flatMap((rate) => [
  {
    name: `1. ${rate} calls/s by plain fetch`,
    goals: { refused: 0 },
    isComparison: true,
    run: () => atRate(rate, { isPlain: true, isWithoutRedis: true }),
  },
  {
    name: `1. ${rate} calls/s, no Redis`,
    goals: { refused: 0 },
    isComparison: true,
    run: () => atRate(rate, { isWithoutRedis: true }),
  },
  { name: `1. ${rate} calls/s`, goals: { refused: 0 }, run: () => atRate(rate) },
])

/** Calls for nine windows, all at once. Where Redis fails, a process knows only its own refusals. */
const saturated = (processes: number, options: Partial<LabOptions> = {}, incident?: (lab: Lab) => Promise<void>) =>
  inLab({ processes, quota: small, latency: 20, ...(incident && { tolerated: processes }), ...options }, (lab) =>
    incident ? backlog(lab, 9, () => incident(lab), 'own') : backlog(lab, 9),
  )

const saturation: readonly Scenario[] = [
  {
    name: '2. Saturation, no Redis',
    goals: { refused: 0 },
    isComparison: true,
    run: () => saturated(4, { isWithoutRedis: true, tolerated: Infinity }),
  },
  ...fleets.map((processes) => ({
    name: `2. Saturation: ${processes}`,
    goals: { refused: 0, completion: 1.15 },
    run: () => saturated(processes),
  })),
  ...[4, 16].map((processes) => ({
    name: `3. Clocks ± 1 h: ${processes}`,
    goals: { refused: 0, completion: 1.15 },
    run: () => saturated(processes, { clockOffsets: [0, hour, -hour] }),
  })),
]

const outages: readonly Scenario[] = [
  ...fleets.map((processes) => ({
    name: `4. Redis killed for 10 s: ${processes}`,
    goals: { refused: processes, completion: 1.2 },
    run: () =>
      saturated(processes, {}, async ({ redis }) => {
        await sleep(4 * second)
        await redis.kill()
        await sleep(10 * second)
        await redis.restart()
      }),
  })),
  {
    name: '4. Redis paused for 10 s: 4',
    goals: { refused: 4, completion: 1.2 },
    run: () =>
      saturated(4, {}, async ({ redis }) => {
        await sleep(4 * second)
        redis.pause()
        await sleep(10 * second)
        redis.resume()
      }),
  },
]

/** The process of that number alone loses Redis for 9 s, three windows. Odd ones use node-redis, even ones ioredis. */
const cutOff = (processes: number, number: number, begin: (proxy: Lab['proxy']) => void) =>
  saturated(processes, { cutOff: number }, async ({ proxy }) => {
    await sleep(4 * second)
    begin(proxy)
    await sleep(9 * second)
    proxy.pass()
  })
const onceAWindow: Goals = { refused: 4, completion: 1.2 }

const cutOffs: readonly Scenario[] = [
  {
    name: '5. One of 4 cut off by a hole, node-redis',
    goals: onceAWindow,
    run: () => cutOff(4, 1, ({ swallow }) => swallow()),
  },
  { name: '5. One of 4 refused, ioredis', goals: onceAWindow, run: () => cutOff(4, 2, ({ refuse }) => refuse()) },
  { name: '5. One of 16 cut off by a hole', goals: onceAWindow, run: () => cutOff(16, 1, ({ swallow }) => swallow()) },
]

const others: readonly Scenario[] = [
  {
    name: '6. Another program uses up a window: 4',
    goals: { refused: 8, completion: 1.2 },
    run: () =>
      saturated(4, {}, async ({ upstream }) => {
        await untilWindow(upstream.quota, 30)
        upstream.useUp()
      }),
  },
]

export const scenarios: readonly Scenario[] = [...room, ...saturation, ...outages, ...cutOffs, ...others]
