import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { createMachine, findDivergence, type Machine, type MachineState, type Transition } from './machine.ts'
import {
  abortedHold,
  begin,
  createPage,
  hour,
  minute,
  pageId,
  type PageInput,
  type PageLook,
  type PlannedCalls,
  requestTimeout,
  updateTimeout,
} from './page.ts'
import type { Choice, Model, World } from './search.ts'
import {
  arriveAt,
  closeAt,
  createSmallService,
  describeService,
  gatewayResponse,
  type SmallResponse,
  type SmallService,
} from './smallService.ts'
import { recordOf } from './storedRecords.ts'

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
  readonly calls: PlannedCalls
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

interface Message {
  /** The key of the record. */
  readonly record: string
  readonly known: Knowledge
  /** When it was sent. */
  readonly since: number
}

/** Until when the service is to be left alone, as a record tells it. */
interface Knowledge {
  /** In true time. */
  readonly until: number
  /** By the clock of the machine that heard it. */
  readonly untilLocal: number
}

const nothingKnown: Knowledge = { until: -Infinity, untilLocal: -Infinity }

type PageState = MachineState<PageInput, PageLook>

interface Page {
  readonly tab: number
  readonly earlier: number
  /** Its tab, and which of the tab's pages it is. */
  readonly id: string
  readonly code: PageState
  readonly look: PageLook | undefined
  readonly inbox: readonly Message[]
  readonly life: 'shown' | 'frozen' | 'hidden' | 'gone'
  /** Until when the page knows that nothing may leave, in true time. */
  readonly knownUntil: number
}

interface CallState {
  /** The id of its page. */
  readonly page: string
  readonly outcome: string
  /** How its requests ended. */
  readonly statuses: readonly string[]
}

interface RequestState {
  readonly call: number
  /** The id of its page. */
  readonly page: string
  readonly sentAt: number
  /** Whether the record may know of it: not while the store is late with the update that decided on it. */
  readonly isStored: boolean
  /** Until when the gate surely counts it as in flight though its call was aborted; infinite if it was not. */
  readonly heldUntil: number
  /** Whether another request left after that and before this one arrived: the response of the other may count it or not. */
  readonly isOvertaken: boolean
  readonly response: SmallResponse | undefined
}

/** All that a world holds. What is in its lists is never changed, but replaced. */
interface Facts {
  time: number
  offset: number
  faults: number
  problem: string | undefined
  /** The key of the record. */
  stored: string
  storeKnown: Knowledge
  /** Whether the record has forgotten nothing. */
  isStoreWhole: boolean
  /** Whether somebody has set the clock: units in flight may have expired then. */
  isClockSet: boolean
  service: SmallService
  /** How many units the service has counted of requests that the gate can know of. */
  counted: number
  hasWaited: boolean
  calls: CallState[]
  /** By tab: the order in which pages were opened makes no difference. */
  pages: Page[]
  /** Those that have not ended, by call: the order in which they left makes no difference. */
  requests: RequestState[]
  /** The locks that pages hold. */
  held: string[]
  /** When each process of a fleet has used the store, by tab. */
  usedStoreAt: (readonly [number, number])[]
}

type Done = Promise<void> | undefined
/** Lets an event happen to the facts, and tells it. */
type Act = (facts: Facts, story: string[] | undefined) => Done | void

const isRunning = ({ life }: Page) => life === 'shown' || life === 'hidden'
const usesOf = ({ look }: Page) => look?.uses ?? []
const wakesAt = ({ look }: Page) => look?.wakesAt ?? Infinity

/** Pages of one key, the store that they share, and the service. */
export function createPageModel(bounds: Bounds): Model {
  const { quota, kinds, isFleet = false, hasLocks = false } = bounds
  const plans = bounds.calls
  const machines = new Map<string, Machine<PageInput, PageLook>>()
  const nameOf = (id: string) => `${isFleet ? 'Process' : 'Tab'} ${id}`

  function machineOf({ id, tab, earlier }: Pick<Page, 'id' | 'tab' | 'earlier'>): Machine<PageInput, PageLook> {
    const known = machines.get(id)
    if (known) return known
    const machine = createMachine(() => createPage({ calls: plans, quota, hasLocks, isFleet, tab, earlier }))
    machines.set(id, machine)
    return machine
  }

  function pageOf(facts: Facts, id: string): Page {
    const page = facts.pages.find((one) => one.id === id)
    if (!page) throw new Error(`There is no page ${id}.`)
    return page
  }

  function change(facts: Facts, id: string, changes: Partial<Page>): Page {
    const index = facts.pages.findIndex((one) => one.id === id)
    const page = { ...pageOf(facts, id), ...changes }
    facts.pages[index] = page
    return page
  }

  function changeCall(facts: Facts, number: number, changes: Partial<CallState>): void {
    const call = facts.calls[number]
    if (call) facts.calls[number] = { ...call, ...changes }
  }

  const tell = (facts: Facts, story: string[], sentence: string) =>
    story.push(`${(facts.time - begin) / 1_000} s: ${sentence}`)

  function fail(facts: Facts, text: string): void {
    facts.problem ??= text
  }

  /** Lets the code of a page go on, and then `next`. */
  function run(
    facts: Facts,
    story: string[] | undefined,
    id: string,
    name: string,
    input: () => PageInput,
    next?: (page: Page) => void,
  ): Done {
    const page = pageOf(facts, id)
    const found = machineOf(page).after(page.code, `${facts.time} ${facts.offset} ${name}`, input)
    const take = ({ look, to, problem }: Transition<PageInput, PageLook>) => {
      if (problem !== undefined) fail(facts, problem)
      const changed = change(facts, id, { code: to, look })
      for (const deed of look.deeds) note(facts, story, id, deed)
      next?.(changed)
    }
    if (found instanceof Promise) return found.then(take)
    take(found)
    return undefined
  }

  /** Notes what the code of a page has done, and whether that was right. */
  function note(facts: Facts, story: string[] | undefined, id: string, deed: PageLook['deeds'][number]): void {
    if (deed.type === 'problem') return fail(facts, deed.text)
    if (deed.type === 'holds') return void facts.held.push(deed.id)
    if (deed.type === 'freed') {
      facts.held = facts.held.filter((one) => one !== deed.id)
      return
    }
    const call = facts.calls[deed.call]
    const plan = plans[deed.call]
    if (!call || !plan) throw new Error(`There is no call ${deed.call}.`)
    if (deed.type === 'sent') {
      if (story) tell(facts, story, `${nameOf(id)} sends call ${deed.call + 1} (${plan.method}).`)
      const page = pageOf(facts, id)
      const { knownUntil } = page
      if (facts.time < knownUntil)
        fail(facts, `sent ${knownUntil - facts.time} ms before the end of a cool-down that its page knows`)
      const last = call.statuses.at(-1)
      if (plan.method === 'POST' && last !== undefined && last !== '429')
        fail(facts, `a POST was sent again after: ${last}`)
      if (call.outcome !== 'pending') fail(facts, `a call was sent after its end: ${call.outcome}`)
      changeCall(facts, deed.call, { statuses: [...call.statuses, 'sent'] })
      const isStored = usesOf(page).every(
        ({ hasWritten, since }) => hasWritten !== undefined || facts.time < since + updateTimeout,
      )
      facts.requests = facts.requests.map((one) =>
        one.response || facts.time < one.heldUntil ? one : { ...one, isOvertaken: true },
      )
      facts.requests.push({
        call: deed.call,
        page: id,
        sentAt: facts.time,
        isStored,
        heldUntil: Infinity,
        isOvertaken: false,
        response: undefined,
      })
      facts.requests.sort((one, other) => one.call - other.call)
    } else if (deed.type === 'gave up') end(facts, deed.call, 'given up')
    else {
      if (call.outcome !== 'pending') return
      changeCall(facts, deed.call, { outcome: deed.outcome })
      if (story) tell(facts, story, `Call ${deed.call + 1} ends: ${deed.outcome}.`)
    }
  }

  function end(facts: Facts, call: number, status: string): void {
    facts.requests = facts.requests.filter((request) => request.call !== call)
    const statuses = facts.calls[call]?.statuses.slice(0, -1) ?? []
    changeCall(facts, call, { statuses: [...statuses, status] })
  }

  /** What another page learns of a record now. Setting the clock forward shortens a wait. */
  const knownNow = ({ until, untilLocal }: Knowledge, { offset }: Facts) => Math.min(until, untilLocal - offset)

  function respond(facts: Facts, request: RequestState, response: SmallResponse): void {
    facts.requests = facts.requests.map((one) => (one === request ? { ...one, response } : one))
  }

  function arrive(facts: Facts, story: string[] | undefined, request: RequestState): void {
    const { windowEnd } = facts.service
    const { call, sentAt, isStored, isOvertaken } = request
    const { service, response } = arriveAt(facts.service, facts.time, `{"row":${call}}`)
    facts.service = service
    if (service.windowEnd !== windowEnd) facts.counted = 0
    // A page that is closed gives up what has not arrived: it may arrive after what others send next.
    const { life } = pageOf(facts, request.page)
    const isHeld = !isOvertaken && (life === 'shown' || life === 'frozen')
    const isKnown = isHeld && isStored && facts.time < sentAt + requestTimeout && sentAt >= service.windowEnd - minute
    if (response.status === 200 && isKnown) facts.counted += 1
    if (story) tell(facts, story, `The service gets call ${call + 1}: ${response.status}.`)
    if (life === 'gone') facts.requests = facts.requests.filter((one) => one !== request)
    else respond(facts, request, response)
  }

  /** The page that makes the next call of a tab. */
  function openPage(facts: Facts, tab: number): Page {
    const shown = facts.pages.find((page) => page.tab === tab && page.life === 'shown')
    if (shown) return shown
    const earlier = facts.pages.filter((page) => page.tab === tab).length
    const identity = { id: pageId(tab, earlier), tab, earlier }
    const page: Page = {
      ...identity,
      code: machineOf(identity).start(),
      look: undefined,
      inbox: [],
      life: 'shown',
      knownUntil: -Infinity,
    }
    facts.pages.push(page)
    facts.pages.sort((one, other) => one.tab - other.tab)
    return page
  }

  function startCall(facts: Facts, story: string[] | undefined, number: number): Done {
    const plan = plans[number]
    if (!plan) return undefined
    const { id } = openPage(facts, plan.tab)
    changeCall(facts, number, { page: id, outcome: 'pending' })
    if (story)
      tell(
        facts,
        story,
        `${nameOf(id)} makes call ${number + 1} (${plan.method}${plan.isBackground ? ', in the background' : ''}).`,
      )
    const { time, offset } = facts
    return run(facts, story, id, `call ${number}`, () => ({ type: 'call', time, offset, call: number }))
  }

  function leave(facts: Facts, id: string): void {
    // Nothing that it knew matters any more.
    const code = machineOf(pageOf(facts, id)).start()
    change(facts, id, { life: 'gone', code, look: undefined, inbox: [], knownUntil: -Infinity })
    facts.held = facts.held.filter((one) => !one.startsWith(`${id}.`))
    facts.requests = facts.requests.filter((request) => request.page !== id || !request.response)
    for (const [number, call] of facts.calls.entries())
      if (call.page === id && call.outcome === 'pending') changeCall(facts, number, { outcome: 'gone' })
  }

  const isBusy = (facts: Facts, page: Page) =>
    page.life === 'shown' &&
    (usesOf(page).length + (page.look?.timers ?? 0) > 0 ||
      facts.calls.some((call) => call.page === page.id && call.outcome === 'pending'))

  /** Since when each thing waits that happens by itself sooner or later. */
  function* pending({ pages, requests }: Facts): Generator<number> {
    for (const page of pages) {
      if (!isRunning(page)) continue
      for (const { since } of usesOf(page)) yield since
      for (const { since } of page.inbox) yield since
    }
    for (const { page, sentAt } of requests) {
      if (pages.some((one) => one.id === page && isRunning(one))) yield sentAt
    }
  }

  function write(facts: Facts, story: string[] | undefined, { id, look }: Page): Done {
    const { time, offset, stored } = facts
    const since = look?.uses.find(({ hasWritten }) => hasWritten === undefined)?.since ?? time
    learn(facts, id, facts.storeKnown)
    return run(
      facts,
      undefined,
      id,
      `write ${stored}`,
      () => ({ type: 'write', time, offset, stored }),
      ({ look: after, knownUntil }) => {
        facts.requests = facts.requests.map((one) => (one.page === id ? { ...one, isStored: true } : one))
        facts.stored = after?.uses.findLast(({ hasWritten }) => hasWritten !== undefined)?.written ?? stored
        if (story) tell(facts, story, `${nameOf(id)} updates the record.`)
        if (time < since + updateTimeout) learnFrom(facts, knownUntil)
        checkUnits(facts)
      },
    )
  }

  /** What others can learn from the record, after a page has written it that knows of a cool-down. */
  function learnFrom(facts: Facts, until: number): void {
    const { storeKnown, offset } = facts
    const known = knownNow(storeKnown, facts)
    if (until < known) return
    // Where the clock was set back, the gate has moved the times of the record back, too.
    const untilLocal = until > known ? until + offset : Math.min(storeKnown.untilLocal, until + offset)
    facts.storeKnown = { until, untilLocal }
  }

  function learn(facts: Facts, id: string, known: Knowledge): void {
    const { knownUntil } = pageOf(facts, id)
    const until = Math.max(knownUntil, knownNow(known, facts))
    if (until !== knownUntil) change(facts, id, { knownUntil: until })
  }

  function finish(facts: Facts, story: string[] | undefined, { id, tab, look }: Page): Done {
    const { time, offset } = facts
    const use = look?.uses[0]
    if (story) tell(facts, story, `${nameOf(id)} hears that it is stored.`)
    if (use?.hasWritten) {
      for (const other of facts.pages) {
        if (other.id === id || other.life === 'gone' || !other.look?.listeners) continue
        const message = { record: use.written, known: facts.storeKnown, since: time }
        change(facts, other.id, { inbox: [...other.inbox, message] })
      }
    }
    if (isFleet) {
      const others = facts.usedStoreAt.filter(([one]) => one !== tab)
      facts.usedStoreAt = [...others, [tab, time] as const].sort(([one], [other]) => one - other)
    }
    const usage = facts.usedStoreAt
    return run(facts, story, id, `store ${usage.join(';')}`, () => ({ type: 'store', time, offset, usage }))
  }

  /** The record counts at least what the service has counted. */
  function checkUnits(facts: Facts): void {
    const { isStoreWhole, isClockSet, stored, service, counted } = facts
    if (!isStoreWhole || isClockSet || counted === 0) return
    const spent = unitsSpent(stored, service.windowEnd, facts.time)
    if (spent < counted) fail(facts, `the record counts ${spent} units, and the service ${counted}`)
  }

  const spentBy = new Map<string, number>()

  /**
   * How many units of a window a record counts; infinite where it does not rely on the window: a refusal ends the windows
   * that are known, and a probe finds out what is left.
   */
  function unitsSpent(stored: string, windowEnd: number, time: number): number {
    const name = `${stored} ${windowEnd} ${time}`
    const known = spentBy.get(name)
    if (known !== undefined) return known
    const record = recordOf(stored)
    let spent = Infinity
    if (record !== undefined) {
      // What a store holds is a record: only the gate writes there.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { windows, inFlight } = record as GateRecord
      const window = windows.find(({ reset, resetAt }) => reset === windowEnd && resetAt > time)
      const inUse = Object.values(inFlight).reduce((sum, { count }) => sum + count, 0)
      if (window) spent = quota - window.remaining + inUse
    }
    spentBy.set(name, spent)
    return spent
  }

  function collect(facts: Facts): ReadonlyMap<string, Choice> {
    const enabled = new Map<string, Choice>()
    if (facts.problem !== undefined) return enabled
    const may = (fault: Fault) => facts.faults > 0 && kinds.includes(fault)
    const add = (name: string, act: Act) => void enabled.set(name, (story) => perform(facts, act, story))
    const fault = (name: string, act: Act) =>
      add(name, (changed, story) => {
        changed.faults -= 1
        return act(changed, story)
      })
    const events = { facts, may, add, fault }
    for (const page of facts.pages) addPageEvents(events, page)
    for (const request of facts.requests) addRequestEvents(events, request)
    addCallEvents(events)
    addTime(events)
    if (!facts.calls.some(({ outcome }) => outcome === 'pending')) return enabled
    if (may('clock forward')) fault('clock forward', (changed, story) => setClock(changed, story, hour))
    if (may('clock back')) fault('clock back', (changed, story) => setClock(changed, story, -hour))
    if (may('store loses') && facts.stored !== '-') fault('store loses', loseRecord)
    return enabled
  }

  function setClock(facts: Facts, story: string[] | undefined, by: number): void {
    if (story) tell(facts, story, `Somebody sets the clock ${by > 0 ? 'forward' : 'back'} by an hour.`)
    facts.offset += by
    facts.isClockSet = true
  }

  async function failAll(facts: Facts, story: string[] | undefined): Promise<void> {
    const { time, offset } = facts
    for (const page of facts.pages) {
      if (usesOf(page).length > 0)
        await run(facts, story, page.id, 'fail all', () => ({ type: 'fail all', time, offset }))
    }
  }

  function loseRecord(facts: Facts, story: string[] | undefined): Done {
    if (story) tell(facts, story, isFleet ? 'Redis restarts without its data.' : 'The record is deleted.')
    facts.stored = '-'
    facts.storeKnown = nothingKnown
    facts.isStoreWhole = false
    if (!isFleet) return undefined
    facts.usedStoreAt = []
    return failAll(facts, story)
  }

  interface Events {
    readonly facts: Facts
    readonly may: (fault: Fault) => boolean
    readonly add: (name: string, act: Act) => void
    readonly fault: (name: string, act: Act) => void
  }

  function addPageEvents({ facts, may, add, fault }: Events, page: Page): void {
    const { id, life, inbox, look } = page
    const { time, offset } = facts
    if (life === 'gone') return
    if (life === 'frozen') {
      add(`${id} thaws`, (changed, story) => {
        if (story) tell(changed, story, `${nameOf(id)} thaws.`)
        change(changed, id, { life: 'shown' })
        return run(changed, story, id, 'pageshow', () => ({ type: 'pageshow', time, offset }))
      })
      return
    }
    if (life === 'hidden') {
      add(`${id} ends`, (changed, story) => {
        if (story) tell(changed, story, `${nameOf(id)} is gone.`)
        leave(changed, id)
      })
    }
    const isWriting = usesOf(page).some(({ hasWritten }) => hasWritten === undefined)
    if (isWriting) add(`${id} writes`, (changed, story) => write(changed, story, page))
    if (life !== 'shown') return
    if (usesOf(page)[0]?.hasWritten !== undefined)
      add(`${id} has stored`, (changed, story) => finish(changed, story, page))
    const [message, ...later] = inbox
    if (message) {
      add(`${id} hears`, (changed, story) => {
        if (story) tell(changed, story, `${nameOf(id)} hears of the record.`)
        change(changed, id, { inbox: later })
        if (look?.listeners === 0) return undefined
        learn(changed, id, message.known)
        const { record } = message
        return run(changed, story, id, `hear ${record}`, () => ({ type: 'hear', time, offset, record }))
      })
    }
    if (look && look.locks > 0) {
      add(`${id} gets a lock`, (changed, story) => {
        const held = changed.held.toSorted()
        return run(changed, story, id, `lock ${held.join()}`, () => ({ type: 'lock', time, offset, held }))
      })
    }
    if (isWriting && may('store fails')) {
      fault(`${id} cannot store`, (changed, story) => {
        if (story) tell(changed, story, `The store fails for ${nameOf(id)}.`)
        changed.isStoreWhole = false
        return run(changed, story, id, 'fail', () => ({ type: 'fail', time, offset }))
      })
      fault(`${id} loses its change`, (changed, story) => {
        if (story) tell(changed, story, `${nameOf(id)} updates the record, and the store drops it.`)
        changed.isStoreWhole = false
        learn(changed, id, changed.storeKnown)
        const { stored } = changed
        return run(changed, story, id, `drop ${stored}`, () => ({ type: 'drop', time, offset, stored }))
      })
    }
    if (message && may('message lost')) {
      fault(`${id} misses`, (changed, story) => {
        if (story) tell(changed, story, `A message to ${nameOf(id)} is lost.`)
        change(changed, id, { inbox: later })
      })
    }
    if (!isBusy(facts, page)) return
    if (may('crash')) {
      fault(`${id} crashes`, (changed, story) => {
        if (story) tell(changed, story, `${nameOf(id)} crashes.`)
        leave(changed, id)
      })
    }
    if (isFleet) return
    if (may('freeze')) {
      fault(`${id} freezes`, (changed, story) => {
        if (story) tell(changed, story, `${nameOf(id)} freezes.`)
        change(changed, id, { life: 'frozen' })
      })
    }
    if (may('close')) {
      fault(`${id} closes`, (changed, story) => {
        if (story) tell(changed, story, `${nameOf(id)} is closed.`)
        change(changed, id, { life: 'hidden' })
        return run(changed, story, id, 'pagehide', () => ({ type: 'pagehide', time, offset }))
      })
    }
  }

  function addRequestEvents({ facts, may, add, fault }: Events, request: RequestState): void {
    const { call, response } = request
    const { time, offset } = facts
    const { id, life } = pageOf(facts, request.page)
    const name = `request ${call}`
    if (!response) add(`${name} arrives`, (changed, story) => arrive(changed, story, request))
    if (life === 'frozen' || life === 'gone') return
    const lose = (when: string) => (changed: Facts, story: string[] | undefined) => {
      if (story) tell(changed, story, `Call ${call + 1} loses its connection, ${when}.`)
      end(changed, call, 'lost')
      return run(changed, story, id, `lose ${call}`, () => ({ type: 'lose', time, offset, call }))
    }
    if (!response) {
      if (may('service 429')) {
        fault(`${name} is refused`, (changed, story) => {
          if (story) tell(changed, story, 'The service refuses requests for a while.')
          changed.service = closeAt(changed.service, time)
          arrive(changed, story, request)
        })
      }
      if (may('gateway 503')) {
        fault(`${name} meets a gateway`, (changed, story) => {
          if (story) tell(changed, story, `A gateway responds to call ${call + 1}: 503.`)
          respond(changed, request, gatewayResponse)
        })
      }
      if (may('request lost')) fault(`${name} is lost`, lose('before it arrived'))
      return
    }
    add(`${name} ends`, (changed, story) => {
      const { status, wait, key } = response
      if (story) tell(changed, story, `${nameOf(id)} gets the response to call ${call + 1}: ${status}.`)
      end(changed, call, String(status))
      if (status === 429) {
        const { knownUntil } = pageOf(changed, id)
        change(changed, id, { knownUntil: Math.max(knownUntil, time + wait) })
      }
      return run(changed, story, id, `respond ${call} ${key}`, () => ({
        type: 'respond',
        time,
        offset,
        call,
        response,
      }))
    })
    if (may('response lost')) fault(`${name} is lost`, lose('after it had arrived'))
  }

  function addCallEvents({ facts, may, add, fault }: Events): void {
    const { time, offset } = facts
    const asked = new Set<number>()
    for (const [number, { outcome, page }] of facts.calls.entries()) {
      const tab = plans[number]?.tab ?? 0
      if (outcome === 'planned') {
        const isAway = facts.pages.some((one) => one.tab === tab && (one.life === 'frozen' || one.life === 'hidden'))
        if (!asked.has(tab) && !isAway) add(`call ${number}`, (changed, story) => startCall(changed, story, number))
        asked.add(tab)
      } else if (outcome === 'pending' && may('abort') && pageOf(facts, page).life === 'shown') {
        fault(`abort ${number}`, (changed, story) => {
          if (story) tell(changed, story, `Call ${number + 1} is aborted.`)
          changed.requests = changed.requests.map((one) =>
            one.call === number ? { ...one, heldUntil: time + abortedHold } : one,
          )
          return run(changed, story, page, `abort ${number}`, () => ({ type: 'abort', time, offset, call: number }))
        })
      }
    }
  }

  function addTime({ facts, add }: Events): void {
    const { pages, calls, time, offset } = facts
    const due = pages.filter((page) => wakesAt(page) < Infinity)
    if (due.length === 0) {
      const isPlanned = calls.some(({ outcome }) => outcome === 'planned')
      if (!isPlanned || facts.hasWaited || facts.stored === '-' || [...pending(facts)].length > 0) return
      add('a minute passes', (changed) => {
        changed.hasWaited = true
        changed.time += minute
      })
      return
    }
    const at = Math.max(time, Math.min(...due.map(wakesAt)))
    let cost = 0
    // What waits since an earlier time is late already.
    if (at > time) for (const since of pending(facts)) cost += since === time ? 1 : 0
    if (cost > 0 && (cost > facts.faults || !kinds.includes('late'))) return
    const pass = (changed: Facts) => {
      changed.faults -= cost
      changed.time = at
    }
    for (const page of due) {
      if (wakesAt(page) > at) continue
      const { id } = page
      if (isRunning(page)) {
        add(`${id} wakes`, (changed, story) => {
          pass(changed)
          return run(changed, story, id, 'wake', () => ({ type: 'wake', time: at, offset }))
        })
      } else if (at > time) add(`time passes for ${id}`, pass)
    }
  }

  const describePage = ({ id, life, inbox, code, knownUntil, look }: Page, time: number): string =>
    life === 'gone'
      ? id
      : `${id}${life} ${code.key} ${knownUntil > time ? knownUntil : ''} ${inbox
          .map(({ record, known, since }) => `${record} ${known.until} ${since === time}`)
          .join()} ${look?.uses.map(({ since }) => since === time).join()}`

  function perform(facts: Facts, act: Act, story: string[] | undefined): World | Promise<World> {
    const { calls, pages, requests, held } = facts
    const next = { ...facts, calls: [...calls], pages: [...pages], requests: [...requests], held: [...held] }
    const done = act(next, story)
    return done ? done.then(() => new PageWorld(rules, next)) : new PageWorld(rules, next)
  }

  function describeState(facts: Facts): string {
    const { time, offset, faults, hasWaited, service, counted, isStoreWhole, isClockSet, stored, storeKnown } = facts
    const { until, untilLocal } = storeKnown
    return [
      `${time} ${offset} ${faults} ${hasWaited} ${describeService(service)} ${counted} ${isStoreWhole} ${isClockSet} ${stored}`,
      until > time ? `${until} ${untilLocal}` : '',
      facts.calls.map(({ outcome, statuses, page }) => `${outcome} ${statuses.at(-1)} ${page}`).join(),
      facts.requests
        .map(
          ({ call, response, sentAt, page, isStored, heldUntil, isOvertaken }) =>
            `${call}${page} ${response?.key} ${sentAt}${isStored} ${heldUntil} ${isOvertaken}`,
        )
        .join(),
      facts.pages.map((page) => describePage(page, time)).join('|'),
      facts.held.toSorted().join(),
      facts.usedStoreAt.join(),
    ].join('\n')
  }

  function isOver(facts: Facts): boolean {
    const { calls, pages, requests } = facts
    if (calls.some(({ outcome }) => outcome === 'planned' || outcome === 'pending')) return false
    const isOpen = ({ life, look }: Page) =>
      life === 'frozen' || life === 'hidden' || (look?.timers ?? 0) + (look?.locks ?? 0) > 0
    if (pages.some(isOpen) || [...pending(facts)].length > 0) return false
    return requests.every(({ page }) => pageOf(facts, page).life === 'gone')
  }

  function endProblem({ calls, faults, pages }: Facts): string | undefined {
    const unlucky = calls.findIndex(({ outcome }) => outcome !== 'succeeded')
    if (unlucky >= 0 && faults === bounds.faults)
      return `call ${unlucky + 1} ends though nothing went wrong: ${calls[unlucky]?.outcome}`
    for (const { id, life, look } of pages) {
      if (life !== 'shown' || !look) continue
      if (!look.isQueueEmpty) return `${nameOf(id)} still has requests in its queue`
      if (look.listeners > 0) return `${nameOf(id)} still listens to the store`
      const [heard] = look.heard
      if (heard !== undefined) return `call ${heard + 1} still listens to its signal`
    }
    return undefined
  }

  const rules: Rules = { choices: collect, state: describeState, isOver, endProblem }

  return {
    size: () => {
      const all = [...machines.values()]
      const sum = (count: (machine: Machine<PageInput, PageLook>) => number) =>
        all.reduce((total, machine) => total + count(machine), 0)
      return {
        states: sum(({ states }) => states.size),
        played: sum(({ counts }) => counts().played),
        tried: sum(({ counts }) => counts().tried),
      }
    },
    findDivergence: async (options) => {
      let meetings = 0
      for (const machine of machines.values()) {
        const found = await findDivergence(machine, options)
        meetings += found.meetings
        if (found.divergence) return { ...found, meetings }
      }
      return { meetings, divergence: undefined }
    },
    start: () =>
      new PageWorld(rules, {
        time: begin,
        offset: 0,
        faults: bounds.faults,
        problem: undefined,
        stored: '-',
        storeKnown: nothingKnown,
        isStoreWhole: true,
        isClockSet: false,
        service: createSmallService(quota),
        counted: 0,
        hasWaited: false,
        calls: plans.map(() => ({ page: '', outcome: 'planned', statuses: [] })),
        pages: [],
        requests: [],
        held: [],
        usedStoreAt: [],
      }),
  }
}

/** What the bounds of a world say about its facts. */
interface Rules {
  readonly choices: (facts: Facts) => ReadonlyMap<string, Choice>
  readonly state: (facts: Facts) => string
  readonly isOver: (facts: Facts) => boolean
  readonly endProblem: (facts: Facts) => string | undefined
}

/** A class, since a search keeps millions of them. */
class PageWorld implements World {
  readonly #rules: Rules
  readonly #facts: Facts

  constructor(rules: Rules, facts: Facts) {
    this.#rules = rules
    this.#facts = facts
  }

  choices(): ReadonlyMap<string, Choice> {
    return this.#rules.choices(this.#facts)
  }

  state(): string {
    return this.#rules.state(this.#facts)
  }

  problem(): string | undefined {
    return this.#facts.problem
  }

  isOver(): boolean {
    return this.#rules.isOver(this.#facts)
  }

  endProblem(): string | undefined {
    return this.#rules.endProblem(this.#facts)
  }
}
