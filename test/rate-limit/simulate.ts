import type { Clock } from '../../src/base/Clock.ts'
import type { Priority } from '../../src/rate-limit/gate.ts'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import type { CustomRate } from '../../src/rate-limit/plan.ts'
import { type EnterRequest, MaxWaitExceeded, type Permit, type CallWait } from '../../src/rate-limit/pendingRequest.ts'
import { leaveTab } from '../../src/rate-limit/pages.ts'
import { createRateLimiter, type RateLimiter } from '../../src/rate-limit/rateLimiter.ts'
import { readRateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import type { QuotaWindow } from '../../src/testing/quota.ts'
import {
  type Arrival,
  createServiceModel,
  type RetryAfterFormat,
  type ServiceModel,
  type Trip,
  type TripEnd,
  travel,
  type Visibility,
  visibleHeaders,
} from './serviceModel.ts'
import { createSharedStore, type SharedStore, type UpdateBehavior } from './sharedStore.ts'
import { createVirtualClock, flushMacrotasks, flushMicrotasks, type VirtualClock } from './virtualClock.ts'

/** Several tabs of one machine, with one key and one service. Plain data; each `at` is in ms from the start. */
export interface Scenario {
  /** How long after a full minute it starts, in ms: the service's windows begin at full minutes of its clock. */
  readonly startsAt: number
  readonly service: {
    readonly plan: readonly QuotaWindow[]
    readonly isSliding?: boolean | undefined
    readonly retryAfter: RetryAfterFormat
    readonly clockAhead: number
    readonly usedBefore: number
    /** Times in which the overloaded service refuses every request. */
    readonly outages: readonly { readonly at: number; readonly length: number }[]
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
  /** Used in turn by the updates of the store. */
  readonly storeUpdates: readonly UpdateBehavior[]
  /** When the store of a tab fails; without a length, for good. */
  readonly storeBreaks: readonly { readonly at: number; readonly tab: number; readonly length?: number | undefined }[]
  readonly reloads: readonly {
    readonly at: number
    readonly tab: number
    /** Default: a crash. After `pagehide` the page is gone at once, or has `storingTime` to store its last changes. */
    readonly ends?: 'crash' | 'pagehide' | 'pagehide, stored' | undefined
  }[]
  /** `processes` of the store, where the tabs stand for processes of servers. */
  readonly processes?: number | undefined
  /** Times without a network: each request is lost at once. */
  readonly offline?: readonly { readonly at: number; readonly length: number }[] | undefined
  /** When pages hear the event `online`. */
  readonly online?: readonly number[] | undefined
  /** When somebody sets the machine's clock. */
  readonly clockJumps: readonly { readonly at: number; readonly by: number }[]
  /** By how many ms the gate's timers are late, in turn. */
  readonly lateness: readonly number[]
  /** The gate's random numbers, 0 to 1, in turn. */
  readonly jitter: readonly number[]
}

export interface CallPlan {
  readonly at: number
  readonly tab: number
  /** How many equal calls start at once. */
  readonly count: number
  readonly priority: Priority
  readonly maxWait: number
  readonly abortAfter?: number | undefined
  /** How long after its start the call is prioritized, in ms. */
  readonly prioritizeAfter?: number | undefined
  /** How often a call that fails is sent, at most. Default 1; after a 429 it is always sent again. */
  readonly attempts?: number | undefined
  /** The trips of this call's requests, the last one again if it sends more. Default: those of the scenario. */
  readonly trips?: Scenario['trips'] | undefined
}

/** Times are epoch ms of true time. */
export interface SentRequest {
  readonly call: TracedCall
  /** 0 for the first request of its call. */
  readonly attempt: number
  readonly sentAt: number
  /** How long the gate was still closed when the request left, as far as its page knew; 0 if it was open. */
  readonly closedFor: number
  arrival: Arrival | undefined
  /** The status of its response; 0 if it had none; `undefined` as long as it is in flight, or if it was aborted. */
  status: number | undefined
  /** When the page received the response. */
  receivedAt: number | undefined
  /** Which headers of the response the client could read. */
  visible: Visibility
  /** When the page received the response, lost it, or gave up. */
  endedAt: number | undefined
  /** When the gate had recorded the end. */
  recordedAt: number | undefined
}

/** Times are epoch ms of true time; those named `…Local` are epoch ms of the machine's clock. */
export interface TracedCall {
  readonly number: number
  readonly plan: CallPlan
  /** The index of its page in `pages`: a reload opens another page. */
  readonly page: number
  readonly startedAt: number
  readonly deadlineLocal: number
  prioritizedAt: number | undefined
  /** One for each of its requests. */
  readonly waits: Wait[]
  /** `failed`: by an error response. `lost`: without a response. `rejected`: by the gate. `undefined`: not ended. */
  outcome: 'succeeded' | 'failed' | 'rejected' | 'aborted' | 'lost' | undefined
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

/** What a call was told, and when. Times are epoch ms of true time. */
export interface ToldWait extends CallWait {
  readonly at: number
}

export interface Trace {
  readonly scenario: Scenario
  readonly requests: readonly SentRequest[]
  readonly calls: readonly TracedCall[]
  readonly arrivals: readonly Arrival[]
  /** Every record that was stored, in order. */
  readonly records: readonly GateRecord[]
  /** Whether all tabs shared one record: at the end no store is broken, and no update has timed out. */
  readonly isShared: boolean
  readonly pages: readonly Pick<Page, 'tab' | 'hiddenAt' | 'goneAt'>[]
  /** The delay of each timer of the gate, in ms. */
  readonly timers: readonly number[]
  /** The longest duration of an update of the store, in ms. */
  readonly slowestUpdate: number
  readonly isEndless: boolean
}

/** When the machine's monotonic clock shows 0, in epoch ms: a full minute. */
const bootedAt = Date.UTC(2026, 0, 1)
/** A simulation in which more timers fire, of the gate or of anything else, counts as endless. */
const maxSteps = 50_000
/** How long the gate waits for its store, in ms. */
const updateTimeout = 2_000
/** How long a page goes on after `pagehide, stored`, in ms: enough for a quick store. */
const storingTime = 20
const noneVisible: Visibility = { limits: false, retryAfter: false, date: false }

const lostAtOnce: Scenario['trips'][number] = { requestDelay: 1, responseDelay: 0, lost: 'before' }
const instantTrip: Scenario['trips'][number] = { requestDelay: 0, responseDelay: 0 }

class EndlessError extends Error {}

interface Page {
  readonly tab: number
  readonly limiter: RateLimiter
  /** The target of the page's lifecycle events. */
  readonly self: EventTarget
  /** When its reload began, by a crash or by `pagehide`: from then on its requests in flight are given up. */
  hiddenAt: number | undefined
  /** When the tab's next page was opened: nothing of this one runs any more. */
  goneAt: number | undefined
}

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
  /** All pages that were ever opened. */
  readonly pages: Page[]
  /** The open page of each tab. */
  readonly openPages: Page[]
  /** `sessionStorage` of each tab. */
  readonly storages: Map<string, string>[]
  /** The page that opens, or whose limiter is called: `self` and `sessionStorage` are its own. Timers use neither. */
  acting: Pick<Page, 'tab' | 'self'> | undefined
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
  await flushMacrotasks() // gives the test runner a turn
  const removeGlobals = defineGlobals(world)
  const tabCount = 1 + Math.max(...scenario.calls.map(({ tab }) => tab), 0)
  for (let tab = 0; tab < tabCount; tab += 1) openPage(world, tab)
  scheduleEvents(world)

  let isEndless = false
  await time.run().catch((error: unknown) => {
    if (!(error instanceof EndlessError)) throw error
    isEndless = true
  })
  removeGlobals()

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
  let steps = 0
  const startedAt = bootedAt + scenario.startsAt
  const time = createVirtualClock(startedAt, () => {
    steps += 1
    if (steps > maxSteps) throw new EndlessError()
    return flushMicrotasks()
  })
  const { plan, isSliding, retryAfter, clockAhead, outages } = scenario.service
  return {
    scenario,
    time,
    machine: { offset: 0 },
    service: createServiceModel({
      plan,
      isSliding,
      retryAfter,
      clockAhead,
      outages: outages.map(({ at, length }) => ({ from: startedAt + at, until: startedAt + at + length })),
    }),
    store: createSharedStore(time, scenario.storeUpdates),
    tabsWithoutStore: new Set(),
    requests: [],
    calls: [],
    pages: [],
    openPages: [],
    storages: [],
    acting: undefined,
    timers: [],
    nextLateness: inTurn(scenario.lateness, 0),
    nextJitter: inTurn(scenario.jitter, 0),
    nextTrip: inTurn(scenario.trips, instantTrip),
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
  for (const { at: ms, tab, length } of scenario.storeBreaks) {
    at(ms, () => tabsWithoutStore.add(tab))
    if (length !== undefined) at(ms + length, () => tabsWithoutStore.delete(tab))
  }
  for (const jump of scenario.clockJumps) {
    at(jump.at, () => {
      machine.offset += jump.by
    })
  }
  for (const { at: ms, tab, ends } of scenario.reloads) {
    at(ms, () => {
      const page = openPages[tab]
      if (!page) return
      page.hiddenAt = time.now()
      if (ends !== undefined && ends !== 'crash') page.self.dispatchEvent(new Event('pagehide'))
      const leave = () => {
        page.goneAt = time.now()
        // In a browser, the set of live pages in `pages.ts` ends with its page. Here all pages share one.
        leaveTab(page.limiter.inspect().owner ?? '')
        openPage(world, tab)
      }
      if (ends === 'pagehide, stored') time.wakeAfter(storingTime, leave)
      else leave()
    })
  }
  for (const ms of scenario.online ?? []) {
    at(ms, () => {
      for (const page of openPages) page.self.dispatchEvent(new Event('online'))
    })
  }
}

function openPage(world: World, tab: number): void {
  const { scenario, time, machine, store, tabsWithoutStore, timers, nextLateness, nextJitter } = world
  const isAlive = () => page.goneAt === undefined
  const clock: Clock = {
    now: () => time.now() + machine.offset,
    monotonic: () => time.now() - bootedAt,
    wakeAfter: (ms, wake) => {
      timers.push(ms)
      return time.wakeAfter(ms + nextLateness(), () => isAlive() && wake())
    },
  }
  const self = new EventTarget()
  const shared = store.forTab({ isAlive, isBroken: () => tabsWithoutStore.has(tab) })
  world.acting = { tab, self }
  const limiter = createRateLimiter({
    name: 'record',
    store: { ...shared, ...(scenario.processes && { processes: scenario.processes }) },
    pace: assumedPaceOf(scenario),
    expiresAfter: scenario.timeout + 1_000,
    clock,
    random: nextJitter,
  })
  const page: Page = { tab, limiter, self, hiddenAt: undefined, goneAt: undefined }
  world.pages.push(page)
  world.openPages[tab] = page
}

/** Gives tabs a `sessionStorage`, and pages a `self` if they hear events. Returns a function that removes them. */
function defineGlobals(world: World): () => void {
  const define = (name: string, get: () => unknown) => {
    const known = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { configurable: true, get })
    return () => {
      if (known) Object.defineProperty(globalThis, name, known)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
  const storage = () => (world.storages[world.acting?.tab ?? 0] ??= new Map())
  const removals = [
    define('sessionStorage', () => ({
      getItem: (name: string) => storage().get(name) ?? null,
      setItem: (name: string, value: string) => void storage().set(name, value),
    })),
  ]
  const { online, reloads } = world.scenario
  // A scenario without `online` and `ends` dispatches no event: its pages have no `self`, as processes of servers.
  if (online || reloads.some(({ ends }) => ends)) removals.push(define('self', () => world.acting?.self))
  return () => removals.forEach((remove) => remove())
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

/** Sends requests until one succeeds, or has failed too often. After a 429 the call is always sent again. */
async function performCall(world: World, call: TracedCall, page: Page): Promise<void> {
  const { time, machine } = world
  const { limiter } = page
  const { abortAfter, prioritizeAfter, priority, attempts = 1 } = call.plan
  const controller = new AbortController()
  let entered: EnterRequest | undefined
  if (abortAfter !== undefined) time.wakeAfter(abortAfter, () => controller.abort())
  if (prioritizeAfter !== undefined) {
    time.wakeAfter(prioritizeAfter, () => {
      if (call.outcome === undefined) call.prioritizedAt = time.now()
      world.acting = page
      if (entered) limiter.prioritize(entered)
    })
  }
  const end = (outcome: TracedCall['outcome']) => {
    if (page.goneAt !== undefined) return
    call.outcome = outcome
    call.endedAt = time.now()
  }

  let failures = 0
  for (let attempt = 0; ; attempt += 1) {
    const deadline = call.deadlineLocal - machine.offset
    const wait: Wait = { from: time.now(), until: undefined, deadline, told: [] }
    call.waits.push(wait)
    let permit: Permit
    world.acting = page
    try {
      entered = {
        callId: String(call.number),
        operation: 'listCategories',
        isRetry: attempt > 0,
        order: call.number,
        priority: call.prioritizedAt === undefined ? priority : 'user',
        deadline: deadline - bootedAt,
        signal: controller.signal,
        onWait: ({ until, ...reason }) => {
          wait.told.push({ ...reason, at: time.now(), until: until - machine.offset })
        },
      }
      permit = await limiter.enter(entered)
    } catch (reason) {
      wait.until = time.now()
      if (reason instanceof MaxWaitExceeded) call.retryAtLocal = reason.retryAt
      return end(reason instanceof MaxWaitExceeded ? 'rejected' : 'aborted')
    }
    wait.until = time.now()
    if (page.goneAt !== undefined) return
    const request = await send(world, call, attempt, permit, page, controller.signal)
    if (!request || controller.signal.aborted) return end('aborted')
    const { status = 0 } = request
    if (status === 429) continue
    if (status === 200) return end('succeeded')
    failures += 1
    const backoff = 500 * 2 ** failures
    const isTemporary = status === 0 || (status >= 502 && status <= 504)
    const isLast = failures >= attempts || time.now() + machine.offset + backoff > call.deadlineLocal
    if (!isTemporary || isLast) return end(status === 0 ? 'lost' : 'failed')
    await new Promise<void>((resolve) => void time.wakeAfter(backoff, resolve))
    if (page.goneAt !== undefined) return
  }
}

function isOffline({ scenario, time }: World): boolean {
  const passed = time.now() - bootedAt - scenario.startsAt
  return (scenario.offline ?? []).some(({ at, length }) => at <= passed && passed < at + length)
}

async function send(
  world: World,
  call: TracedCall,
  attempt: number,
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
  const { trips } = call.plan
  const trip = isOffline(world)
    ? lostAtOnce
    : ((trips ? trips[Math.min(attempt, trips.length - 1)] : world.nextTrip()) ?? instantTrip)
  const request: SentRequest = {
    call,
    attempt,
    sentAt: now,
    closedFor: page.limiter.retryAt() - now - machine.offset,
    arrival: undefined,
    status: undefined,
    receivedAt: undefined,
    visible: trip.hidesHeaders ? noneVisible : scenario.visible,
    endedAt: undefined,
    recordedAt: undefined,
  }
  requests.push(request)
  let giveUp = () => {}
  const response = await new Promise<TripEnd | undefined>((resolve) => {
    giveUp = () => resolve(undefined)
    signal.addEventListener('abort', giveUp, { once: true })
    time.wakeAfter(scenario.timeout, giveUp)
    const onArrival = (arrived: Arrival) => {
      request.arrival = arrived
    }
    travel(service, time, trip, { onArrival, onEnd: resolve })
  })
  signal.removeEventListener('abort', giveUp)
  if (page.goneAt !== undefined) return new Promise(() => {}) // its code has stopped
  request.endedAt = time.now()
  let released: Promise<void>
  world.acting = page
  if (!signal.aborted) request.status = response?.status ?? 0
  if (response && !signal.aborted) {
    request.receivedAt = time.now()
    const headers = visibleHeaders(response, request.visible)
    const rateLimitHeaders = readRateLimitHeaders(headers, time.now() + machine.offset)
    released = permit.release({ rateLimitHeaders, status: response.status })
  } else released = permit.release({ status: signal.aborted ? undefined : 0 })
  const recorded = released.then(() => {
    request.recordedAt = time.now()
  })
  if (response?.status === 429) await recorded
  return request
}

/** The `pace` of the limiters: the plan's first window, or that of the smallest plan if the app does not pass one. */
export function assumedPaceOf({ isPlanKnown, service }: Pick<Scenario, 'isPlanKnown' | 'service'>): CustomRate {
  const [window] = service.plan
  return isPlanKnown && window ? window : { limit: 60, per: 60_000 }
}

function inTurn<Value>(values: readonly Value[], defaultValue: Value): () => Value {
  let next = 0
  return () => values[next++ % Math.max(1, values.length)] ?? defaultValue
}
