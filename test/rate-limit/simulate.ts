import type { Clock } from '../../src/rate-limit/Clock.ts'
import { createFleetStore } from '../../src/rate-limit/fleet/createFleetStore.ts'
import { createKnownProcesses } from '../../src/rate-limit/fleet/knownProcesses.ts'
import type { Priority } from '../../src/rate-limit/gate.ts'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import type { CustomRate } from '../../src/rate-limit/plan.ts'
import type { Permit } from '../../src/rate-limit/Permit.ts'
import { createRateLimiter, MaxWaitExceeded, type RateLimiter } from '../../src/rate-limit/rateLimiter.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { readRateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import type { Wait as GateWait } from '../../src/rate-limit/Wait.ts'
import type { QuotaWindow } from '../../src/testing/plans.ts'
import type { RetryAfterFormat } from '../../src/testing/retryAfter.ts'
import {
  type Arrival,
  createServiceModel,
  type ServiceModel,
  type Trip,
  travel,
  type Visibility,
  visibleHeaders,
} from './serviceModel.ts'
import { createSharedStore, type SharedStore, type UpdateBehavior } from './sharedStore.ts'
import { createVirtualClock, flushMacrotasks, flushMicrotasks, type VirtualClock } from './virtualClock.ts'

/** Several tabs of one machine, with one key and one service. Plain data; times in ms from the start. */
export interface Scenario {
  readonly startsAt: number
  readonly service: {
    readonly plan: readonly QuotaWindow[]
    readonly retryAfter: RetryAfterFormat
    readonly clockAhead: number
    readonly usedBefore: number
    readonly closures: readonly { readonly at: number; readonly length: number }[]
    /** Units that other users of the key spend. */
    readonly otherUsage: readonly { readonly at: number; readonly units: number }[]
  }
  readonly visible: Visibility
  /** Whether the app passes its plan; without it, the client assumes the smallest plan of the document. */
  readonly isPlanKnown: boolean
  /** ms for one request */
  readonly timeout: number
  readonly calls: readonly CallPlan[]
  /** Used in turn by the requests. With `hidesHeaders`, the client can read no header of the response. */
  readonly trips: readonly (Trip & { readonly hidesHeaders?: boolean | undefined })[]
  readonly store: readonly UpdateBehavior[]
  readonly storeBreaks: readonly { readonly at: number; readonly tab: number }[]
  readonly reloads: readonly { readonly at: number; readonly tab: number }[]
  /** When somebody sets the machine's clock. */
  readonly clockJumps: readonly { readonly at: number; readonly by: number }[]
  /** By how much timers are late, in turn. */
  readonly lateness: readonly number[]
  /** 0 to 1, in turn. */
  readonly jitter: readonly number[]
  /** Whether the tabs are processes of a fleet, which share a store with a clock of its own. */
  readonly isFleet?: boolean | undefined
  /** By how much the clock of each process of a fleet is ahead of the machine's. */
  readonly processClocks?: readonly number[] | undefined
}

export interface CallPlan {
  readonly at: number
  readonly tab: number
  /** How many equal calls start at once. */
  readonly count: number
  readonly priority: Priority
  readonly maxWait: number
  readonly abortAfter?: number | undefined
  /** When the call is prioritized. */
  readonly prioritizeAfter?: number | undefined
}

/** Times are epoch ms of true time; those named `local` are epoch ms of the machine's clock. */
export interface SentRequest {
  readonly call: TracedCall
  readonly admittedAtLocal: number
  readonly sentAt: number
  readonly sentAtLocal: number
  /** How long the gate was still closed when the request left, as far as its tab knew. */
  readonly closedFor: number
  arrival: Arrival | undefined
  /** When the page received the response. */
  receivedAt: number | undefined
  receivedAtLocal: number | undefined
  /** Which headers of the response the client could read. */
  visible: Visibility
  /** When the page received the response, lost it, or gave up. */
  endedAt: number | undefined
  /** When the gate had recorded the end. */
  recordedAt: number | undefined
}

export interface TracedCall {
  readonly number: number
  readonly plan: CallPlan
  /** The index of its page: a reload opens another page. */
  readonly page: number
  readonly startedAt: number
  readonly deadlineLocal: number
  prioritizedAt: number | undefined
  /** One for each of its requests. */
  readonly waits: Wait[]
  outcome: 'succeeded' | 'rejected' | 'aborted' | 'lost' | undefined
  endedAt: number | undefined
  retryAtLocal: number | undefined
}

export interface Wait {
  readonly from: number
  until: number | undefined
  readonly deadline: number
  /** What `onWait` was called with. */
  readonly told: ToldWait[]
}

/** What a call was told. Times are epoch ms of true time. */
export interface ToldWait extends GateWait {
  readonly at: number
}

export interface Trace {
  readonly scenario: Scenario
  readonly requests: readonly SentRequest[]
  readonly calls: readonly TracedCall[]
  readonly arrivals: readonly Arrival[]
  /** Every record that was stored, in order. */
  readonly records: readonly GateRecord[]
  /** Whether all tabs shared one record all the time: no update failed or timed out. */
  readonly isShared: boolean
  readonly pages: readonly { readonly tab: number; readonly goneAt: number | undefined }[]
  /** The delay of each timer of the gate, in ms. */
  readonly timers: readonly number[]
  readonly slowestUpdate: number
  readonly isEndless: boolean
}

const begin = Date.UTC(2026, 0, 1)
/** A simulation with more timers counts as endless. */
const maxTimers = 50_000
/** How long the gate waits for its store, in ms. */
const updateTimeout = 2_000
const noneVisible: Visibility = { limits: false, retryAfter: false, date: false }

class EndlessError extends Error {}

interface Page {
  readonly tab: number
  /** By how much its clock is ahead of the machine's. */
  readonly ahead: number
  readonly limiter: RateLimiter
  goneAt: number | undefined
}

/** The state of one simulation. */
interface World {
  readonly scenario: Scenario
  readonly time: VirtualClock
  /** By how much the machine's clock is ahead of true time. */
  readonly machine: { offset: number }
  readonly service: ServiceModel
  readonly store: SharedStore
  readonly tabsWithoutStore: Set<number>
  readonly requests: SentRequest[]
  readonly calls: TracedCall[]
  /** All pages that were opened, and the open one of each tab. */
  readonly pages: Page[]
  readonly openPages: Page[]
  /** When each process of a fleet has used the store last. */
  readonly updatedAt: Map<number, number>
  readonly timers: number[]
  readonly nextLateness: () => number
  readonly nextJitter: () => number
  readonly nextTrip: () => Scenario['trips'][number]
}

/** Runs a scenario in virtual time and returns everything that happened. */
export async function simulate(scenario: Scenario): Promise<Trace> {
  const world = createWorld(scenario)
  const { time, service, store, calls, pages, requests, timers, tabsWithoutStore } = world
  service.spendUnits(scenario.service.usedBefore, time.now())
  const tabCount = 1 + Math.max(...scenario.calls.map(({ tab }) => tab), 0)
  for (let tab = 0; tab < tabCount; tab += 1) openPage(world, tab)
  scheduleEvents(world)

  await flushMacrotasks() // gives the test runner a turn
  let isEndless = false
  await time.run().catch((error: unknown) => {
    if (!(error instanceof EndlessError)) throw error
    isEndless = true
  })

  return {
    scenario,
    requests,
    calls,
    arrivals: service.arrivals,
    records: store.written as readonly GateRecord[],
    isShared: tabsWithoutStore.size === 0 && store.slowestUpdate < updateTimeout,
    pages,
    timers,
    slowestUpdate: store.slowestUpdate,
    isEndless,
  }
}

function createWorld(scenario: Scenario): World {
  let wakes = 0
  const time = createVirtualClock(begin + scenario.startsAt, () => {
    wakes += 1
    if (wakes > maxTimers) throw new EndlessError()
    return flushMicrotasks()
  })
  const start = time.now()
  const { plan, retryAfter, clockAhead, closures } = scenario.service
  return {
    scenario,
    time,
    machine: { offset: 0 },
    service: createServiceModel({
      plan,
      retryAfter,
      clockAhead,
      closures: closures.map(({ at, length }) => ({ from: start + at, until: start + at + length })),
    }),
    store: createSharedStore(time, scenario.store),
    tabsWithoutStore: new Set(),
    requests: [],
    calls: [],
    pages: [],
    openPages: [],
    updatedAt: new Map(),
    timers: [],
    nextLateness: inTurn(scenario.lateness, 0),
    nextJitter: inTurn(scenario.jitter, 0),
    nextTrip: inTurn(scenario.trips, { requestDelay: 0, responseDelay: 0 }),
  }
}

function scheduleEvents(world: World): void {
  const { scenario, time, machine, service, tabsWithoutStore, openPages } = world
  const at = (ms: number, action: () => void) => time.wakeAfter(ms, action)
  for (const plan of scenario.calls) {
    at(plan.at, () => {
      for (let copy = 0; copy < plan.count; copy += 1) startCall(world, plan)
    })
  }
  for (const usage of scenario.service.otherUsage) at(usage.at, () => service.spendUnits(usage.units, time.now()))
  for (const storeBreak of scenario.storeBreaks) at(storeBreak.at, () => tabsWithoutStore.add(storeBreak.tab))
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
      openPage(world, reload.tab)
    })
  }
}

function openPage(world: World, tab: number): void {
  const { scenario, time, machine, store, tabsWithoutStore, timers, nextLateness, nextJitter } = world
  const isAlive = () => page.goneAt === undefined
  const ahead = scenario.processClocks?.[tab] ?? 0
  const clock: Clock = {
    now: () => time.now() + machine.offset + ahead,
    monotonic: () => time.now() - begin,
    wakeAfter: (ms, wake) => {
      timers.push(ms)
      return time.wakeAfter(ms + nextLateness(), () => isAlive() && wake())
    },
  }
  const shared = store.forTab({ isAlive, isBroken: () => tabsWithoutStore.has(tab) })
  const limiter = createRateLimiter({
    name: 'record',
    store: scenario.isFleet ? asFleet(world, tab, shared) : shared,
    pace: paceOf(scenario),
    clock,
    random: nextJitter,
  })
  const page: Page = { tab, ahead, limiter, goneAt: undefined }
  world.pages.push(page)
  world.openPages[tab] = page
}

/** The store as a process sees it that notes which of the others have used it. */
function asFleet({ time, openPages, updatedAt }: World, tab: number, shared: RateLimitStore): RateLimitStore {
  const processes = createKnownProcesses(time.now)
  const update: RateLimitStore['update'] = async (name, change) => {
    const { since = 0, fail, learn } = processes
    try {
      await shared.update(name, change)
    } catch (error) {
      fail()
      throw error
    }
    updatedAt.set(tab, time.now())
    learn(openPages.length, [...updatedAt.values()].filter((at) => at >= since).length)
  }
  return createFleetStore({ ...shared, update, now: time.now, processes: () => processes })
}

function startCall(world: World, plan: CallPlan): void {
  const { time, machine, calls, pages, openPages } = world
  const page = openPages[plan.tab]
  if (!page) return
  const call: TracedCall = {
    number: calls.length,
    plan,
    page: pages.indexOf(page),
    startedAt: time.now(),
    deadlineLocal: time.now() + machine.offset + plan.maxWait,
    prioritizedAt: undefined,
    waits: [],
    outcome: undefined,
    endedAt: undefined,
    retryAtLocal: undefined,
  }
  calls.push(call)
  void performCall(world, call, page)
}

/** Sends requests until a response is no 429. */
async function performCall(world: World, call: TracedCall, page: Page): Promise<void> {
  const { scenario, time, machine } = world
  const { limiter, ahead } = page
  const { abortAfter, prioritizeAfter, priority } = call.plan
  const controller = new AbortController()
  let id = ''
  if (abortAfter !== undefined) time.wakeAfter(abortAfter, () => controller.abort())
  if (prioritizeAfter !== undefined) {
    time.wakeAfter(prioritizeAfter, () => {
      if (call.outcome === undefined) call.prioritizedAt = time.now()
      limiter.prioritize(id)
    })
  }
  const end = (outcome: TracedCall['outcome']) => {
    if (page.goneAt !== undefined) return
    call.outcome = outcome
    call.endedAt = time.now()
  }

  for (let attempt = 0; ; attempt += 1) {
    id = `${call.number}.${attempt}`
    const deadline = call.deadlineLocal - machine.offset
    const wait: Wait = { from: time.now(), until: undefined, deadline, told: [] }
    call.waits.push(wait)
    let permit: Permit
    try {
      permit = await limiter.enter({
        id,
        callId: String(call.number),
        operation: 'listCategories',
        address: 'categories',
        isRetry: attempt > 0,
        order: call.number,
        priority: call.prioritizedAt === undefined ? priority : 'user',
        deadline: call.deadlineLocal + ahead,
        holdFor: scenario.timeout + 1_000,
        signal: controller.signal,
        onWait: ({ until, ...reason }) => {
          wait.told.push({ ...reason, at: time.now(), until: until - machine.offset - ahead })
        },
      })
    } catch (reason) {
      wait.until = time.now()
      if (reason instanceof MaxWaitExceeded) call.retryAtLocal = reason.retryAt - ahead
      return end(reason instanceof MaxWaitExceeded ? 'rejected' : 'aborted')
    }
    wait.until = time.now()
    if (page.goneAt !== undefined) return
    const request = await send(world, call, permit, page, controller.signal)
    if (!request || controller.signal.aborted) return end('aborted')
    if (request.receivedAt === undefined) return end('lost')
    if (request.arrival?.status !== 429) return end('succeeded')
  }
}

async function send(
  world: World,
  call: TracedCall,
  permit: Permit,
  page: Page,
  signal: AbortSignal,
): Promise<SentRequest | undefined> {
  if (signal.aborted) {
    void permit.release({ status: undefined })
    return undefined
  }
  const { scenario, time, machine, service, requests } = world
  const now = time.now()
  const trip = world.nextTrip()
  const request: SentRequest = {
    call,
    admittedAtLocal: permit.sentAt - page.ahead,
    sentAt: now,
    sentAtLocal: now + machine.offset,
    closedFor: page.limiter.retryAt('categories') - now - machine.offset - page.ahead,
    arrival: undefined,
    receivedAt: undefined,
    receivedAtLocal: undefined,
    visible: trip.hidesHeaders ? noneVisible : scenario.visible,
    endedAt: undefined,
    recordedAt: undefined,
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
  if (page.goneAt !== undefined) return new Promise(() => {})
  request.endedAt = time.now()
  let released: Promise<void>
  if (arrival && !signal.aborted) {
    request.receivedAt = time.now()
    request.receivedAtLocal = time.now() + machine.offset
    const headers = visibleHeaders(arrival, request.visible)
    const rateLimitHeaders = readRateLimitHeaders(headers, time.now() + machine.offset)
    released = permit.release({ rateLimitHeaders, status: arrival.status })
  } else released = permit.release(signal.aborted ? { status: undefined } : undefined)
  const recorded = released.then(() => {
    request.recordedAt = time.now()
  })
  if (arrival?.status === 429) await recorded
  return request
}

export function paceOf({ isPlanKnown, service }: Pick<Scenario, 'isPlanKnown' | 'service'>): CustomRate {
  const [window] = service.plan
  return isPlanKnown && window ? window : { limit: 60, per: 60_000 }
}

function inTurn<Value>(values: readonly Value[], defaultValue: Value): () => Value {
  let next = 0
  return () => values[next++ % Math.max(1, values.length)] ?? defaultValue
}
