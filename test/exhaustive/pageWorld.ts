import type { Clock } from '../../src/base/Clock.ts'
import { defineOperation } from '../../src/client.ts'
import { createClientWith, type KeyedClient } from '../../src/client/createPetstoreClient.ts'
import { createFleetStore, createKnownProcesses } from '../../src/rate-limit/fleet/createFleetStore.ts'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import type { PendingRequest } from '../../src/rate-limit/pendingRequest.ts'
import type { QueueContext } from '../../src/rate-limit/rateLimiter.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { createRequestQueue, type RequestQueue } from '../../src/rate-limit/requestQueue.ts'
import { type Presence, type PresentStore, presence } from '../../src/rate-limit/stores/presence.ts'
import {
  createPlainController,
  createRandom,
  type PlainController,
  type PlainRequest,
  PlainTarget,
  turn,
} from './platform.ts'
import { hash, type World } from './search.ts'
import { createSmallService, gatewayResponse, type SmallResponse } from './smallService.ts'

/** What may go wrong. Each costs one of the faults of a path. */
export type Fault =
  | 'abort'
  | 'close'
  | 'crash'
  | 'freeze'
  | 'clock forward'
  | 'clock back'
  | 'store fails'
  | 'store loses'
  | 'message lost'
  | 'late'
  | 'gateway 503'
  | 'service 429'
  | 'request lost'
  | 'response lost'

export const allFaults: readonly Fault[] = [
  'abort',
  'close',
  'crash',
  'freeze',
  'clock forward',
  'clock back',
  'store fails',
  'store loses',
  'message lost',
  'late',
  'gateway 503',
  'service 429',
  'request lost',
  'response lost',
]

/** The bounds of a search: everything within them is tried. */
export interface Bounds {
  /** The calls of each tab, in order. A call after the end of its page opens another one. */
  readonly calls: readonly { readonly tab: number; readonly method: 'GET' | 'POST'; readonly isBackground?: boolean }[]
  /** Units in a minute. */
  readonly quota: number
  /** How many things go wrong on one path, at most. */
  readonly faults: number
  readonly kinds: readonly Fault[]
  /** Whether pages hold a lock each, by which others see that they are gone. */
  readonly hasLocks?: boolean
  /** Whether the tabs are processes that share a Redis, on machines whose clocks differ by an hour. */
  readonly isFleet?: boolean
}

const begin = Date.UTC(2026, 0, 1) + 20_000
const minute = 60_000
const hour = 3_600_000
/** ms for one request. */
const timeout = 10_000

/** What follows from one event reads the clock less often. */
const maxReads = 20_000

const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const
const operations = {
  GET: defineOperation<unknown, unknown>({ name: 'read', path: '/rows', input: anything, output: anything }),
  POST: defineOperation<unknown, unknown>({
    name: 'create',
    path: '/rows',
    method: 'POST',
    input: anything,
    output: anything,
  }),
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

/** An update of the store that is under way. */
interface StoreUse {
  readonly page: Page
  readonly change: (stored: unknown) => unknown
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  readonly since: number
  /** `undefined` until the change is made; then whether it has written something. */
  hasWritten: boolean | undefined
  written: unknown
  isLate: boolean
}

interface Message {
  readonly record: unknown
  readonly known: Knowledge
  isLate: boolean
}

/** Until when the service is to be left alone, as a record tells it. */
interface Knowledge {
  /** In true time. */
  readonly until: number
  /** By the clock of the machine that heard it. */
  readonly untilLocal: number
}

const nothingKnown: Knowledge = { until: -Infinity, untilLocal: -Infinity }

interface Page {
  readonly tab: number
  /** Its tab, and which of the tab's pages it is. */
  readonly id: string
  readonly name: string
  readonly client: KeyedClient
  readonly self: PlainTarget
  readonly timers: Set<Timer>
  readonly listeners: Set<(stored: unknown) => void>
  readonly uses: StoreUse[]
  readonly inbox: Message[]
  /** Asked of the lock manager: what, and what to do with its response. */
  readonly locks: { readonly text: string; readonly act: () => void }[]
  context: QueueContext | undefined
  queue: RequestQueue<PendingRequest> | undefined
  life: 'shown' | 'frozen' | 'hidden' | 'gone'
  /** Until when the page knows that nothing may leave, in true time. */
  knownUntil: number
  storeStatus: string
  /** Whether the update that ended last took longer than the gate waits. */
  wasSlow: boolean
  sentAt: number
  /** What the clock read, and what the page knew, when somebody set it. */
  jumps: string
  /** What has happened to the page since a change was made that it does not know of yet: it may need another one. */
  sinceChange: string[]
  readonly random: () => number
}

interface CallState {
  readonly number: number
  readonly tab: number
  readonly method: 'GET' | 'POST'
  readonly isBackground: boolean
  readonly controller: PlainController
  page: Page | undefined
  outcome: string
  /** How its requests ended. */
  readonly statuses: string[]
}

interface RequestState {
  readonly call: CallState
  readonly page: Page
  readonly sentAt: number
  readonly signal: PlainRequest['signal']
  readonly resolve: (response: SmallResponse) => void
  readonly reject: (error: Error) => void
  response: SmallResponse | undefined
  isLate: boolean
  isOver: boolean
}

const texts = new WeakMap<object, string>()

/** A short text that stands for a record. */
function textOf(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '-'
  const known = texts.get(record)
  if (known !== undefined) return known
  const text = hash(JSON.stringify(record)).join('.')
  texts.set(record, text)
  return text
}

/** Pages of one key, the store that they share, and the service. */
export function createPageWorld(bounds: Bounds): World {
  const { quota, kinds, isFleet = false, hasLocks = false } = bounds
  const kind = isFleet ? 'Process' : 'Tab'
  const story: string[] = []
  const calls = bounds.calls.map(({ tab, method, isBackground = false }, number): CallState => {
    const controller = createPlainController()
    return { number, tab, method, isBackground, controller, page: undefined, outcome: 'planned', statuses: [] }
  })
  const pages: Page[] = []
  const open: (Page | undefined)[] = []
  const requests: RequestState[] = []
  const held = new Set<string>()
  let time = begin
  let offset = 0
  let order = 0
  let faults = bounds.faults
  let problem: string | undefined
  let happening = ''
  /** How often the clock was read since the last event. */
  let reads = 0
  let stored: unknown
  let storeKnown = nothingKnown
  /** Whether the record may have forgotten something. */
  let isStoreWhole = true
  const service = createSmallService(quota)
  /** How many units the service has counted of requests that the gate can know of. */
  let counted = 0
  let hasWaited = false
  const usedStoreAt = new Map<number, number>()

  const seconds = () => `${(time - begin) / 1_000} s`
  const note = (sentence: string) => story.push(`${seconds()}: ${sentence}`)
  const fail = (text: string) => (problem ??= text)
  const may = (fault: Fault) => faults > 0 && kinds.includes(fault)

  function openPage(tab: number): Page {
    const ahead = isFleet ? tab * hour : 0
    const earlier = pages.filter((page) => page.tab === tab).length
    const id = `${'ABC'[tab]}${earlier > 0 ? earlier + 1 : ''}`
    const name = `${kind} ${id}`
    const self = new PlainTarget()
    const timers = new Set<Timer>()
    const clock: Clock = {
      now: () => {
        reads += 1
        if (reads > maxReads) {
          fail('it never settles: the gate decides again and again')
          throw new Error('It never settles.')
        }
        return time + offset + ahead
      },
      monotonic: () => time - begin,
      wakeAfter: (ms, wake) => {
        order += 1
        const timer: Timer = { at: time + Math.max(0, ms), order, wake }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    }
    const client = createClientWith(
      {
        clock,
        random: () => 0.5,
        createQueue: (context) => {
          page.context = context
          page.queue = createRequestQueue<PendingRequest>()
          return page.queue
        },
      },
      {
        baseUrl: 'https://service.test/v1',
        apiKey: 'demo',
        plan: { limit: quota, per: minute },
        rateLimitStore: isFleet
          ? asFleet(
              tab,
              createStore(() => page),
            )
          : createStore(() => page),
        retry: { attempts: 2, maxWait: 65_000 },
        timeout,
        // The client reads no other fields of them.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        fetch: async (request) => (await send(page, request as unknown as PlainRequest)) as unknown as Response,
        onEvent: (event) => {
          if (event.type === 'rate-limit-store') page.storeStatus = event.status
        },
      },
    )
    const page: Page = {
      tab,
      id,
      name,
      client,
      self,
      timers,
      listeners: new Set(),
      uses: [],
      inbox: [],
      locks: [],
      context: undefined,
      queue: undefined,
      life: 'shown',
      knownUntil: -Infinity,
      storeStatus: '',
      wasSlow: false,
      sentAt: 0,
      jumps: '',
      sinceChange: [],
      random: createRandom(10 * tab + earlier),
    }
    pages.push(page)
    // The order in which pages were opened makes no difference.
    pages.sort((one, other) => one.tab - other.tab)
    open[tab] = page
    return page
  }

  function createStore(pageOf: () => Page): PresentStore {
    return {
      inMemory: true,
      [presence]: hasLocks && !isFleet ? createPresence(pageOf) : undefined,
      update: (_, change) =>
        new Promise((resolve, reject) => {
          const page = pageOf()
          const use = { page, change, resolve, reject, since: time, written: undefined, isLate: false }
          page.uses.push({ ...use, hasWritten: undefined })
        }),
      subscribe: (_, listener) => {
        const { listeners } = pageOf()
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    }
  }

  function createPresence(pageOf: () => Page): Presence {
    let id: string | undefined
    let entered = 0
    return {
      get id() {
        return id
      },
      enter: () => {
        if (entered % 2 === 1) return
        entered += 1
        const page = pageOf()
        const next = `${page.id}.${entered}`
        const now = entered
        page.locks.push({
          text: next,
          act: () => {
            if (entered !== now) return
            id = next
            held.add(next)
          },
        })
      },
      leave: () => {
        if (entered % 2 === 0) return
        entered += 1
        if (id !== undefined) held.delete(id)
        id = undefined
      },
      findGone: (ids) =>
        new Promise((resolve) => {
          pageOf().locks.push({ text: ids.join(), act: () => resolve(ids.filter((one) => !held.has(one))) })
        }),
    }
  }

  /** The store as a process sees it that notes which of the others have used it. */
  function asFleet(tab: number, store: RateLimitStore): RateLimitStore {
    const processes = createKnownProcesses(() => time)
    return createFleetStore({
      ...store,
      now: () => time,
      processes: () => processes,
      update: async (name, change) => {
        const { since = 0, fail: noteFailure, learn } = processes
        try {
          await store.update(name, change)
        } catch (error) {
          noteFailure()
          throw error
        }
        usedStoreAt.set(tab, time)
        learn(usedStoreAt.size, [...usedStoreAt.values()].filter((at) => at >= since).length)
      },
    })
  }

  /** What another page learns of a record now. Setting the clock forward shortens a wait. */
  const knownNow = ({ until, untilLocal }: Knowledge) => Math.min(until, untilLocal - offset)

  function send(page: Page, { body, url, signal }: PlainRequest): Promise<SmallResponse> {
    const call = calls[Number(/\d+$/.exec(body?.replace('}', '') ?? url)?.[0])]
    if (!call) throw new Error(`No call sends ${url}.`)
    note(`${page.name} sends call ${call.number + 1} (${call.method}).`)
    page.sentAt = time
    if (time < page.knownUntil)
      fail(`sent ${page.knownUntil - time} ms before the end of a cool-down that its page knows`)
    const last = call.statuses.at(-1)
    if (call.method === 'POST' && last !== undefined && last !== '429') fail(`a POST was sent again after: ${last}`)
    if (call.outcome !== 'pending') fail(`a call was sent after its end: ${call.outcome}`)
    call.statuses.push('sent')
    return new Promise((resolve, reject) => {
      const request: RequestState = {
        call,
        page,
        sentAt: time,
        signal,
        resolve,
        reject,
        response: undefined,
        isLate: false,
        isOver: false,
      }
      requests.push(request)
      // The order in which they left makes no difference.
      requests.sort((one, other) => one.call.number - other.call.number)
      signal?.addEventListener('abort', () => {
        if (request.isOver) return
        end(request, 'given up')
        reject(new DOMException('This operation was aborted', 'AbortError'))
      })
    })
  }

  function end(request: RequestState, status: string): void {
    request.isOver = true
    const { statuses } = request.call
    statuses[statuses.length - 1] = status
  }

  function arrive(request: RequestState): void {
    const { windowEnd } = service
    const { call, sentAt } = request
    const response = service.arrive(time, `{"row":${call.number}}`)
    if (service.windowEnd !== windowEnd) counted = 0
    // A page that is closed gives up what has not arrived: it may arrive after what others send next.
    const isHeld = request.page.life === 'shown' || request.page.life === 'frozen'
    const isKnown = isHeld && time < sentAt + timeout && sentAt >= service.windowEnd - minute
    if (response.status === 200 && isKnown) counted += 1
    request.response = response
    note(`The service gets call ${call.number + 1}: ${response.status}.`)
  }

  function startCall(call: CallState): void {
    const page = open[call.tab]?.life === 'shown' ? open[call.tab] : openPage(call.tab)
    if (!page) return
    call.page = page
    call.outcome = 'pending'
    note(
      `${page.name} makes call ${call.number + 1} (${call.method}${call.isBackground ? ', in the background' : ''}).`,
    )
    run(page, () => {
      const { signal } = call.controller
      page.client
        .call(
          operations[call.method],
          { row: call.number },
          {
            // The client listens to it, and reads whether it is aborted.
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion
            signal: signal as unknown as AbortSignal,
            priority: call.isBackground ? 'background' : 'user',
          },
        )
        .then(
          (value) => {
            if (JSON.stringify(value) !== `{"row":${call.number}}`) fail(`call ${call.number + 1} got another's row`)
            settle(call, 'succeeded')
          },
          (error: unknown) => settle(call, Object(error).kind ?? Object(error).name),
        )
    })
  }

  function settle(call: CallState, outcome: string): void {
    if (call.outcome !== 'pending') return
    call.outcome = outcome
    note(`Call ${call.number + 1} ends: ${outcome}.`)
  }

  function run(page: Page, action: () => void): void {
    turn.self = page.self
    turn.random = page.random
    if (page.uses.some(({ hasWritten }) => hasWritten !== undefined)) page.sinceChange.push(happening)
    else page.sinceChange = []
    action()
  }

  function leave(page: Page): void {
    page.life = 'gone'
    page.uses.length = 0
    page.inbox.length = 0
    page.locks.length = 0
    page.listeners.clear()
    page.timers.clear()
    for (const id of held) if (id.startsWith(`${page.id}.`)) held.delete(id)
    for (const call of calls) if (call.page === page && call.outcome === 'pending') call.outcome = 'gone'
  }

  const isRunning = ({ life }: Page) => life === 'shown' || life === 'hidden'
  const isBusy = (page: Page) =>
    page.life === 'shown' &&
    (page.uses.length + page.timers.size > 0 || calls.some((call) => call.page === page && call.outcome === 'pending'))

  /** What happens by itself sooner or later, and has not yet. */
  function* pending(): Generator<{ isLate: boolean }> {
    for (const page of pages) {
      if (!isRunning(page)) continue
      yield* page.uses
      yield* page.inbox
    }
    for (const request of requests) if (!request.isOver && isRunning(request.page)) yield request
  }

  const firstTimer = ({ timers }: Page): Timer | undefined => {
    let first: Timer | undefined
    for (const timer of timers)
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    return first
  }

  type Act = () => void
  const enabled = new Map<string, Act>()

  function collect(): void {
    enabled.clear()
    if (problem !== undefined) return
    const add = (name: string, act: Act) => void enabled.set(name, act)
    const fault = (name: string, act: Act) =>
      add(name, () => {
        faults -= 1
        act()
      })
    addPageEvents(add, fault)
    addRequestEvents(add, fault)
    addCallEvents(add, fault)
    addTime(add)
    if (!calls.some(({ outcome }) => outcome === 'pending')) return
    if (may('clock forward')) fault('clock forward', () => setClock(hour))
    if (may('clock back')) fault('clock back', () => setClock(-hour))
    if (may('store loses') && stored !== undefined) {
      fault('store loses', () => {
        note(isFleet ? 'Redis restarts without its data.' : 'The record is deleted.')
        stored = undefined
        storeKnown = nothingKnown
        isStoreWhole = false
        if (!isFleet) return
        usedStoreAt.clear()
        for (const page of pages)
          for (const use of page.uses.splice(0)) run(page, () => use.reject(new Error('Redis restarts.')))
      })
    }
  }

  function setClock(by: number): void {
    note(`Somebody sets the clock ${by > 0 ? 'forward' : 'back'} by an hour.`)
    for (const page of pages) if (page.life !== 'gone') page.jumps += `${by} ${textOf(page.context?.latest())} ${time};`
    offset += by
  }

  type Add = (name: string, act: Act) => void

  function addPageEvents(add: Add, fault: Add): void {
    for (const page of pages) {
      const { id, life, uses, inbox, locks, name } = page
      if (life === 'gone') continue
      if (life === 'frozen') {
        add(`${id} thaws`, () => {
          note(`${name} thaws.`)
          page.life = 'shown'
          run(page, () => page.self.emit('pageshow'))
        })
        continue
      }
      if (life === 'hidden') {
        add(`${id} ends`, () => {
          note(`${name} is gone.`)
          leave(page)
        })
      }
      const [use] = uses.filter(({ hasWritten }) => hasWritten === undefined)
      if (use) add(`${id} writes`, () => write(use))
      const [done] = uses
      if (done?.hasWritten !== undefined && life === 'shown') add(`${id} has stored`, () => finish(done))
      const [message] = inbox
      if (message && life === 'shown') {
        add(`${id} hears`, () => {
          note(`${name} hears of the record.`)
          inbox.shift()
          if (page.listeners.size === 0) return
          page.knownUntil = Math.max(page.knownUntil, knownNow(message.known))
          run(page, () => {
            for (const listener of [...page.listeners]) listener(message.record)
          })
        })
      }
      const [lock] = locks
      if (lock && life === 'shown') {
        add(`${id} gets a lock`, () => {
          locks.shift()
          run(page, lock.act)
        })
      }
      if (life !== 'shown') continue
      if (use && may('store fails')) {
        fault(`${id} cannot store`, () => {
          note(`The store fails for ${name}.`)
          isStoreWhole = false
          uses.splice(uses.indexOf(use), 1)
          run(page, () => use.reject(new Error('The store fails.')))
        })
      }
      if (use && may('store fails')) {
        fault(`${id} loses its change`, () => {
          note(`${name} updates the record, and the store drops it.`)
          isStoreWhole = false
          page.knownUntil = Math.max(page.knownUntil, knownNow(storeKnown))
          uses.splice(uses.indexOf(use), 1)
          run(page, () => {
            use.change(stored)
            use.reject(new Error('The store drops a change.'))
          })
        })
      }
      if (message && may('message lost')) {
        fault(`${id} misses`, () => {
          note(`A message to ${name} is lost.`)
          inbox.shift()
        })
      }
      if (!isBusy(page)) continue
      if (may('crash')) {
        fault(`${id} crashes`, () => {
          note(`${name} crashes.`)
          leave(page)
        })
      }
      if (isFleet) continue
      if (may('freeze')) {
        fault(`${id} freezes`, () => {
          note(`${name} freezes.`)
          page.life = 'frozen'
        })
      }
      if (may('close')) {
        fault(`${id} closes`, () => {
          note(`${name} is closed.`)
          page.life = 'hidden'
          run(page, () => page.self.emit('pagehide'))
        })
      }
    }
  }

  function write(use: StoreUse): void {
    const { page, change } = use
    const isTimely = time < use.since + 2_000
    page.knownUntil = Math.max(page.knownUntil, knownNow(storeKnown))
    const before = stored
    run(page, () => {
      stored = change(before)
    })
    use.hasWritten = stored !== before
    page.sinceChange = []
    use.written = stored
    note(`${page.name} updates the record.`)
    if (isTimely && page.knownUntil > knownNow(storeKnown)) {
      storeKnown = { until: page.knownUntil, untilLocal: page.knownUntil + offset }
    }
    checkUnits()
  }

  function finish(use: StoreUse): void {
    const { page, hasWritten, written } = use
    page.uses.splice(page.uses.indexOf(use), 1)
    page.wasSlow = time >= use.since + 2_000
    note(`${page.name} hears that it is stored.`)
    if (hasWritten) {
      for (const other of pages) {
        if (other !== page && other.listeners.size > 0 && other.life !== 'gone') {
          other.inbox.push({ record: written, known: storeKnown, isLate: false })
        }
      }
    }
    run(page, () => {
      if (hasWritten) for (const listener of [...page.listeners]) listener(written)
      use.resolve()
    })
  }

  /** The record counts at least what the service has counted. */
  function checkUnits(): void {
    if (!isStoreWhole || offset !== 0 || stored === undefined) return
    // What a store holds is a record: only the gate writes there.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { windows, inFlight } = stored as GateRecord
    const known = windows.find(({ reset }) => reset === service.windowEnd)
    if (!known) return
    const inUse = Object.values(inFlight).reduce((sum, { count }) => sum + count, 0)
    const spent = quota - known.remaining + inUse
    if (spent < counted) fail(`the record counts ${spent} units, and the service ${counted}`)
  }

  function addRequestEvents(add: Add, fault: Add): void {
    for (const request of requests) {
      const { call, page, response, isOver } = request
      const number = `request ${call.number}`
      if (isOver || page.life === 'frozen') {
        if (isOver || response) continue
        add(`${number} arrives`, () => arrive(request))
        continue
      }
      if (!response) {
        add(`${number} arrives`, () => arrive(request))
        if (page.life === 'gone') continue
        if (may('service 429')) {
          fault(`${number} is refused`, () => {
            note('The service refuses requests for a while.')
            service.close(time)
            arrive(request)
          })
        }
        if (may('gateway 503')) {
          fault(`${number} meets a gateway`, () => {
            note(`A gateway responds to call ${call.number + 1}: 503.`)
            request.response = gatewayResponse
          })
        }
        if (may('request lost')) fault(`${number} is lost`, () => lose(request, 'before it arrived'))
        continue
      }
      if (page.life === 'gone') continue
      add(`${number} ends`, () => {
        const { status, wait } = response
        note(`${page.name} gets the response to call ${call.number + 1}: ${status}.`)
        end(request, String(status))
        if (status === 429) page.knownUntil = Math.max(page.knownUntil, time + wait)
        run(page, () => request.resolve(response))
      })
      if (may('response lost')) fault(`${number} is lost`, () => lose(request, 'after it had arrived'))
    }
  }

  function lose(request: RequestState, when: string): void {
    note(`Call ${request.call.number + 1} loses its connection, ${when}.`)
    end(request, 'lost')
    run(request.page, () => request.reject(new TypeError('fetch failed')))
  }

  function addCallEvents(add: Add, fault: Add): void {
    const asked = new Set<number>()
    for (const call of calls) {
      if (call.outcome === 'planned') {
        const life = open[call.tab]?.life
        if (!asked.has(call.tab) && life !== 'frozen' && life !== 'hidden') {
          add(`call ${call.number}`, () => startCall(call))
        }
        asked.add(call.tab)
      } else if (call.outcome === 'pending' && call.page?.life === 'shown' && may('abort')) {
        fault(`abort ${call.number}`, () => {
          const { page } = call
          note(`Call ${call.number + 1} is aborted.`)
          if (page) run(page, () => call.controller.abort())
        })
      }
    }
  }

  function addTime(add: Add): void {
    const due = pages.flatMap((page) => {
      const timer = page.life === 'gone' ? undefined : firstTimer(page)
      return timer ? [{ page, timer }] : []
    })
    const isPlanned = calls.some(({ outcome }) => outcome === 'planned')
    if (due.length === 0) {
      if (!isPlanned || hasWaited || stored === undefined || [...pending()].length > 0) return
      add('a minute passes', () => {
        hasWaited = true
        time += minute
      })
      return
    }
    const at = Math.max(time, Math.min(...due.map(({ timer }) => timer.at)))
    let cost = 0
    if (at > time) for (const { isLate } of pending()) cost += isLate ? 0 : 1
    if (cost > 0 && (cost > faults || !kinds.includes('late'))) return
    const pass = () => {
      if (at === time) return
      faults -= cost
      for (const one of pending()) one.isLate = true
      time = at
    }
    for (const { page, timer } of due) {
      if (timer.at > at) continue
      if (!isRunning(page)) {
        if (at > time) add(`time passes for ${page.id}`, pass)
        continue
      }
      add(`${page.id} wakes`, () => {
        pass()
        page.timers.delete(timer)
        run(page, timer.wake)
      })
    }
  }

  const describePage = (page: Page): string => {
    const {
      life,
      context,
      queue,
      timers,
      uses,
      inbox,
      locks,
      knownUntil,
      storeStatus,
      wasSlow,
      sentAt,
      jumps,
      listeners,
      sinceChange,
    } = page
    if (life === 'gone') return 'gone'
    const waiting = queue
      ? [
          ...queue.user.byOrder(),
          ...queue.background.byOrder(),
          ...[...queue.parked.values()].map(({ request }) => request),
        ]
      : []
    return [
      life,
      textOf(context?.latest()),
      waiting.map(({ id, deadline, told }) => `${id} ${deadline} ${told?.until}`).join(),
      [...timers].map(({ at }) => at).join(),
      uses.map(({ hasWritten, since, written, isLate }) => `${hasWritten}${since}${isLate}${textOf(written)}`).join(),
      inbox.map(({ record, isLate, known }) => `${textOf(record)}${isLate}${known.until}`).join(),
      locks.map(({ text }) => text).join(),
      knownUntil,
      storeStatus,
      wasSlow,
      time - sentAt < 1_000 ? sentAt : 0,
      jumps,
      listeners.size,
      page.self.listenerCount,
      sinceChange.toSorted().join(),
    ].join(' ')
  }

  return {
    story,
    events: () => {
      collect()
      return [...enabled.keys()]
    },
    happen: (event) => {
      if (!enabled.has(event)) collect()
      happening = event
      reads = 0
      enabled.get(event)?.()
      enabled.clear()
    },
    problem: () => problem,
    state: () =>
      [
        time,
        offset,
        faults,
        hasWaited,
        service.state(),
        counted,
        isStoreWhole,
        textOf(stored),
        storeKnown.until,
        calls.map(({ outcome, statuses, page }) => `${outcome} ${statuses.at(-1)} ${page?.id}`).join(),
        requests
          .flatMap(({ call, isOver, isLate, response, sentAt, page }) =>
            isOver || (page.life === 'gone' && response) ? [] : [`${call.number} ${isLate} ${response?.key} ${sentAt}`],
          )
          .join(),
        pages.map(describePage).join('|'),
        [...usedStoreAt].sort(([one], [other]) => one - other).join(),
      ].join('\n'),
    isOver: () => {
      if (calls.some(({ outcome }) => outcome === 'planned' || outcome === 'pending')) return false
      if (
        pages.some(
          ({ life, timers, locks }) => life === 'frozen' || life === 'hidden' || timers.size + locks.length > 0,
        )
      )
        return false
      return requests.every(({ isOver, page }) => isOver || page.life === 'gone') && [...pending()].length === 0
    },
    endProblem: () => {
      const unlucky = calls.find(({ outcome }) => outcome !== 'succeeded')
      if (unlucky && faults === bounds.faults)
        return `call ${unlucky.number + 1} ends though nothing went wrong: ${unlucky.outcome}`
      const left = pages.filter(({ life }) => life === 'shown')
      for (const { name, queue, listeners } of left) {
        if (queue && !queue.isEmpty) return `${name} still has requests in its queue`
        if (listeners.size > 0) return `${name} still listens to the store`
      }
      for (const { number, controller } of calls) {
        if (controller.signal.listenerCount > 0 && calls[number]?.outcome !== 'gone')
          return `call ${number + 1} still listens to its signal`
      }
      return undefined
    },
  }
}
