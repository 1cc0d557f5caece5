import type { Clock } from '../../src/rate-limit/Clock.ts'
import type { Priority } from '../../src/rate-limit/gate.ts'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import type { Pace } from '../../src/rate-limit/plan.ts'
import { createRateLimiter, type Permit, type RateLimiter, MaxWaitExceeded } from '../../src/rate-limit/rateLimiter.ts'
import { readRateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import type { QuotaWindow } from '../../src/testing/plans.ts'
import type { RetryAfterFormat } from '../../src/testing/retryAfter.ts'
import { type Arrival, createServiceModel, type Trip, travel, type Visibility, visibleHeaders } from './serviceModel.ts'
import { createSharedStore, type StoreManner } from './sharedStore.ts'
import { allWorkDone, createVirtualClock, promisesKept } from './virtualClock.ts'

/** Several tabs of one machine, with one key, against one service. Plain data; times in ms from the start. */
export interface Scenario {
  readonly startsAt: number
  readonly service: {
    readonly plan: readonly QuotaWindow[]
    readonly retryAfter: RetryAfterFormat
    readonly clockAhead: number
    readonly usedBefore: number
    readonly closures: readonly { readonly at: number; readonly length: number }[]
    readonly strangers: readonly { readonly at: number; readonly units: number }[]
  }
  readonly visible: Visibility
  /** Whether the app has said which plan it has; the smallest of the document's is assumed where it has not. */
  readonly isPlanKnown: boolean
  /** ms for one request */
  readonly timeout: number
  readonly calls: readonly CallPlan[]
  /** Taken in turn by the requests. Where `isBare`, none of the response's headers can be read. */
  readonly trips: readonly (Trip & { readonly isBare?: boolean | undefined })[]
  readonly store: readonly StoreManner[]
  readonly storeBreaks: readonly { readonly at: number; readonly tab: number }[]
  readonly reloads: readonly { readonly at: number; readonly tab: number }[]
  /** The machine's clock is set. */
  readonly clockJumps: readonly { readonly at: number; readonly by: number }[]
  /** By how much timers ring late, in turn. */
  readonly lateness: readonly number[]
  /** 0 to 1, in turn. */
  readonly jitter: readonly number[]
}

export interface CallPlan {
  readonly at: number
  readonly tab: number
  /** So many at once. */
  readonly count: number
  readonly priority: Priority
  readonly maxWait: number
  readonly abortAfter?: number | undefined
  /** A person joins it. */
  readonly liftAfter?: number | undefined
}

/** Where nothing else is said, times are epoch ms of true time; `local` ones are those of the machine's clock. */
export interface SentRequest {
  readonly call: TracedCall
  readonly admittedAtLocal: number
  readonly sentAt: number
  readonly sentAtLocal: number
  /** How long the gate was closed for, as far as its tab knew then. */
  readonly closedFor: number
  arrival: Arrival | undefined
  /** When its response was read, if it was. */
  receivedAt: number | undefined
  receivedAtLocal: number | undefined
  /** What of its response could be read. */
  visible: Visibility
  /** When its tab was done with it: responded to, lost, given up. */
  endedAt: number | undefined
  /** When the gate had taken in its end. */
  knownAt: number | undefined
}

export interface TracedCall {
  readonly number: number
  readonly plan: CallPlan
  /** Which page it belonged to: another one after a reload. */
  readonly page: number
  readonly lastPolledAt: number
  readonly deadlineLocal: number
  liftedAt: number | undefined
  /** When it began to wait, for each of its requests. */
  readonly waits: Wait[]
  outcome: 'succeeded' | 'rejected' | 'aborted' | 'lost' | undefined
  endedAt: number | undefined
  retryAtLocal: number | undefined
}

export interface Wait {
  readonly from: number
  until: number | undefined
  /** What it was told: until when it has to wait at the least (local). */
  toldUntil: number[]
}

export interface Trace {
  readonly scenario: Scenario
  readonly requests: readonly SentRequest[]
  readonly calls: readonly TracedCall[]
  readonly ledger: readonly Arrival[]
  /** The record of the gate, at each of its changes. */
  readonly records: readonly GateRecord[]
  /** All tabs shared one record all the time: no update was so slow, or failed, that one went on alone. */
  readonly isShared: boolean
  readonly pages: readonly { readonly tab: number; readonly goneAt: number | undefined }[]
  /** What each timer of the gate was set to. */
  readonly timers: readonly number[]
  readonly slowestUpdate: number
  /** It did not come to an end. */
  readonly isEndless: boolean
}

const begin = Date.UTC(2026, 0, 1)
const mostAlarms = 50_000
/** What the gate itself waits for its store at the most. */
const storePatience = 2_000
const bare: Visibility = { limits: false, retryAfter: false, date: false }

class Endless extends Error {}

interface Page {
  readonly tab: number
  readonly limiter: RateLimiter
  goneAt: number | undefined
}

export async function simulate(scenario: Scenario): Promise<Trace> {
  let alarms = 0
  const time = createVirtualClock(begin + scenario.startsAt, () => {
    alarms += 1
    if (alarms > mostAlarms) throw new Endless()
    return promisesKept()
  })
  const start = time.now()
  const machine = { offset: 0 }
  const { plan: windows, retryAfter, clockAhead, usedBefore, closures, strangers } = scenario.service
  const service = createServiceModel({
    plan: windows,
    retryAfter,
    clockAhead,
    closures: closures.map(({ at, length }) => ({ from: start + at, until: start + at + length })),
  })
  const store = createSharedStore(time, scenario.store)
  const broken = new Set<number>()
  const requests: SentRequest[] = []
  const calls: TracedCall[] = []
  const pages: Page[] = []
  const timers: number[] = []
  const late = inTurn(scenario.lateness, 0)
  const jitter = inTurn(scenario.jitter, 0)
  const nextTrip = inTurn(scenario.trips, { there: 0, back: 0 })

  service.takeUnits(usedBefore, start)

  function openPage(tab: number): Page {
    const isAlive = () => page.goneAt === undefined
    const clock: Clock = {
      now: () => time.now() + machine.offset,
      wakeAfter: (ms, wake) => {
        timers.push(ms)
        return time.wakeAfter(ms + late(), () => isAlive() && wake())
      },
    }
    const limiter = createRateLimiter({
      name: 'record',
      store: store.forTab({ isAlive, isBroken: () => broken.has(tab) }),
      pace: paceOf(scenario),
      clock,
      random: jitter,
      warn: () => {},
    })
    const page: Page = { tab, limiter, goneAt: undefined }
    pages.push(page)
    return page
  }

  const tabCount = 1 + Math.max(...scenario.calls.map(({ tab }) => tab), 0)
  const openPages = Array.from({ length: tabCount }, (_, tab) => openPage(tab))

  function startCall(callPlan: CallPlan): void {
    const page = openPages[callPlan.tab]
    if (!page) return
    const call: TracedCall = {
      number: calls.length,
      plan: callPlan,
      page: pages.indexOf(page),
      lastPolledAt: time.now(),
      deadlineLocal: time.now() + machine.offset + callPlan.maxWait,
      liftedAt: undefined,
      waits: [],
      outcome: undefined,
      endedAt: undefined,
      retryAtLocal: undefined,
    }
    calls.push(call)
    void perform(call, page)
  }

  async function perform(call: TracedCall, { limiter }: Page): Promise<void> {
    const { abortAfter, liftAfter, priority } = call.plan
    const controller = new AbortController()
    let entered = ''
    if (abortAfter !== undefined) time.wakeAfter(abortAfter, () => controller.abort())
    if (liftAfter !== undefined) {
      time.wakeAfter(liftAfter, () => {
        if (call.outcome === undefined) call.liftedAt = time.now()
        limiter.prioritize(entered)
      })
    }
    const end = (outcome: TracedCall['outcome']) => {
      if (pages[call.page]?.goneAt !== undefined) return
      call.outcome = outcome
      call.endedAt = time.now()
    }

    for (let attempt = 0; ; attempt += 1) {
      entered = `${call.number}.${attempt}`
      const wait: Wait = { from: time.now(), until: undefined, toldUntil: [] }
      call.waits.push(wait)
      let permit: Permit
      try {
        permit = await limiter.enter({
          id: entered,
          order: call.number,
          priority: call.liftedAt === undefined ? priority : 'user',
          deadline: call.deadlineLocal,
          holdFor: scenario.timeout + 1_000,
          signal: controller.signal,
          onWait: (until) => wait.toldUntil.push(until),
        })
      } catch (reason) {
        wait.until = time.now()
        if (reason instanceof MaxWaitExceeded) call.retryAtLocal = reason.retryAt
        return end(reason instanceof MaxWaitExceeded ? 'rejected' : 'aborted')
      }
      wait.until = time.now()
      if (pages[call.page]?.goneAt !== undefined) return
      const request = await send(call, permit, limiter, controller.signal)
      if (!request || controller.signal.aborted) return end('aborted')
      if (request.receivedAt === undefined) return end('lost')
      if (request.arrival?.status !== 429) return end('succeeded')
    }
  }

  async function send(
    call: TracedCall,
    permit: Permit,
    limiter: RateLimiter,
    signal: AbortSignal,
  ): Promise<SentRequest | undefined> {
    if (signal.aborted) {
      void permit.release()
      return undefined
    }
    const now = time.now()
    const trip = nextTrip()
    const request: SentRequest = {
      call,
      admittedAtLocal: permit.sentAt,
      sentAt: now,
      sentAtLocal: now + machine.offset,
      closedFor: limiter.retryAt() - now - machine.offset,
      arrival: undefined,
      receivedAt: undefined,
      receivedAtLocal: undefined,
      visible: trip.isBare ? bare : scenario.visible,
      endedAt: undefined,
      knownAt: undefined,
    }
    requests.push(request)
    let giveUp = () => {}
    const arrival = await new Promise<Arrival | undefined>((resolve) => {
      giveUp = () => resolve(undefined)
      signal.addEventListener('abort', giveUp, { once: true })
      time.wakeAfter(scenario.timeout, giveUp)
      const onArrival = (arrived: Arrival) => {
        request.arrival = arrived
      }
      travel(service, time, trip, { onArrival, onEnd: resolve })
    })
    signal.removeEventListener('abort', giveUp)
    if (pages[call.page]?.goneAt !== undefined) return new Promise(() => {})
    request.endedAt = time.now()
    let known: Promise<void>
    if (arrival && !signal.aborted) {
      request.receivedAt = time.now()
      request.receivedAtLocal = time.now() + machine.offset
      const headers = visibleHeaders(arrival, request.visible)
      const rateLimitHeaders = readRateLimitHeaders(headers, time.now() + machine.offset)
      known = permit.release({ rateLimitHeaders, refused: arrival.status === 429 })
    } else known = permit.release()
    const noted = known.then(() => {
      request.knownAt = time.now()
    })
    if (arrival?.status === 429) await noted
    return request
  }

  const at = (ms: number, happen: () => void) => time.wakeAfter(ms, happen)
  for (const plan of scenario.calls) {
    at(plan.at, () => {
      for (let copy = 0; copy < plan.count; copy += 1) startCall(plan)
    })
  }
  for (const stranger of strangers) at(stranger.at, () => service.takeUnits(stranger.units, time.now()))
  for (const storeBreak of scenario.storeBreaks) at(storeBreak.at, () => broken.add(storeBreak.tab))
  for (const jump of scenario.clockJumps) {
    at(jump.at, () => {
      machine.offset += jump.by
    })
  }
  for (const reload of scenario.reloads) {
    at(reload.at, () => {
      const page = openPages[reload.tab]
      if (!page) return
      page.goneAt = time.now()
      openPages[reload.tab] = openPage(reload.tab)
    })
  }

  await allWorkDone() // lets the test runner breathe
  let isEndless = false
  await time.run().catch((error: unknown) => {
    if (!(error instanceof Endless)) throw error
    isEndless = true
  })

  return {
    scenario,
    requests,
    calls,
    ledger: service.ledger,
    records: store.written as readonly GateRecord[],
    isShared: broken.size === 0 && store.slowest < storePatience,
    pages,
    timers,
    slowestUpdate: store.slowest,
    isEndless,
  }
}

export function paceOf({ isPlanKnown, service }: Pick<Scenario, 'isPlanKnown' | 'service'>): Pace {
  const [window] = service.plan
  return isPlanKnown && window ? window : { limit: 60, per: 60_000 }
}

function inTurn<Value>(values: readonly Value[], otherwise: Value): () => Value {
  let next = 0
  return () => values[next++ % Math.max(1, values.length)] ?? otherwise
}
