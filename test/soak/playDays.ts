import { vi } from 'vitest'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import type { PlanName } from '../../src/testing.ts'
import { createLedger, type DayFigures } from './ledger.ts'
import { countAlive, countListeners, heapInUse } from './leaks.ts'
import { createNetwork } from './network.ts'
import { kinds, maxEntries, visit } from './visit.ts'
import { createRandom } from './random.ts'
import { SlowChannel, startDatabase } from './sharedDatabase.ts'
import { openTab, type Tab } from './Tab.tsx'
import { startVirtualTime } from './virtualTime.ts'

const minute = 60_000
const hour = 60 * minute
/** How many of the requests meet a fault. */
const usualFaults = 0.02
const jumps = [-hour, -30_000, 30_000, hour]
const plans: readonly PlanName[] = ['free', 'pro', 'business']

/** What is still there at the end of a day, when all tabs are closed and nothing is under way. */
export interface Leftovers {
  readonly timers: number
  readonly listeners: number
  readonly channels: number
  /** In the record of the present key. */
  readonly inFlight: number
  /** Records that nothing was heard of for more than two days. */
  readonly outdated: number
  /** Clients that something still holds on to, where that can be told. */
  readonly clients: number
  readonly elements: number
  /** The most entries that a tab's SWR cache has had for each of its clients. */
  readonly cacheEntries: number
  /** Bytes. */
  readonly heap: number | undefined
}

export interface Day extends DayFigures {
  readonly leftovers: Leftovers
}

export interface Soak {
  readonly days: readonly Day[]
  /** Whatever did not add up. */
  readonly findings: readonly string[]
}

/** React and the engine hold on to the last of some things until there are new ones. A day has some twenty clients. */
const mostHeld = 3

/** What there is more of than there may be, or than there was after the very first tab. */
function leaksOf(left: Leftovers, first: Leftovers): string[] {
  const { timers, channels, inFlight, outdated, listeners, elements, clients, cacheEntries } = left
  const bounds = [
    ['timers', timers, 0],
    ['channels', channels, 0],
    ['inFlight', inFlight, 0],
    ['outdated records', outdated, 0],
    ['listeners', listeners, first.listeners],
    ['elements', elements, first.elements],
    ['clients', clients, mostHeld],
    ['cache entries for a client', cacheEntries, maxEntries],
  ] as const
  return bounds.filter(([, found, most]) => found > most).map(([name, found, most]) => `${found} ${name}, not ${most}`)
}

export interface SoakOptions {
  readonly days: number
  readonly seed: number
  /** How often in a day people come. */
  readonly sessions: number
  readonly onDay?: (day: Day, index: number) => void
}

/** Plays days of an app that is used in several tabs at a time. */
export async function playDays({ days: count, seed, sessions, onDay = () => {} }: SoakOptions): Promise<Soak> {
  const time = startVirtualTime(Date.UTC(2026, 0, 5), createRandom(seed + 1))
  const random = createRandom(seed)
  const ledger = createLedger(time)
  const database = startDatabase(createRandom(seed + 2), ledger.noteRecord)
  const network = createNetwork(time, random, ledger)
  const listeners = countListeners()
  const clients = countAlive()
  vi.stubGlobal('BroadcastChannel', SlowChannel)
  let names = 0
  let cacheEntries = 0
  let inFlight = 0

  const record = (name: string) => database.records.get(name) as GateRecord
  const open = (): Tab => {
    names += 1
    return openTab({
      name: `tab ${names}`,
      network,
      ledger,
      asksForKey: random.chance(0.7),
      onClient: clients.add,
    })
  }
  const setVisible = (isVisible: boolean) => {
    Object.defineProperty(document, 'visibilityState', { value: isVisible ? 'visible' : 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    window.dispatchEvent(new Event(isVisible ? 'focus' : 'blur'))
  }
  const setOnline = (isOnline: boolean) => window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))

  /** A tab from its opening to its end, which may be sudden; and perhaps a reload. */
  async function liveTab(): Promise<void> {
    const tab = open()
    await visit(tab, time.now() + random.between(minute, 15 * minute), { time, random, ledger })
    if (tab.isAlive) close(tab)
    if (random.chance(0.2)) await liveTab()
    if (!tab.isAlive) close(tab)
  }

  function close(tab: Tab): void {
    cacheEntries = Math.max(cacheEntries, tab.cacheEntries())
    tab.close()
  }

  /** A tab that shows one of each, with nobody there: what the day has left behind shows in how it is served. */
  async function lookAgain(): Promise<void> {
    const tab = open()
    network.setFaultRate(0)
    tab.show(kinds.map(([, kind], id) => ({ id, kind, petId: '1' })))
    await time.sleep(10_000)
    // All responses are in, and a lost request would still hold its lease.
    inFlight = Object.keys(record(network.record()).inFlight).length
    await time.sleep(minute)
    network.setFaultRate(usualFaults)
    close(tab)
    await time.sleep(minute)
  }

  async function session(): Promise<void> {
    const tabs = Array.from({ length: random.between(1, 5) }, async () => {
      await time.sleep(random.between(0, 3 * minute))
      await liveTab()
    })
    await Promise.all([...tabs, somethingHappens(), somethingHappens()])
  }

  async function somethingHappens(): Promise<void> {
    await time.sleep(random.between(minute, 10 * minute))
    await random.pickWeighted<() => Promise<void>>([
      [3, async () => network.drain()],
      [1, async () => network.provokeBan()],
      [1, async () => network.rotateKey(random.pick(plans))],
      [1, async () => network.changePlan(random.pick(plans))],
      [2, outage],
      [2, () => jump(random.pick(jumps))],
      [
        3,
        () =>
          between(
            () => setVisible(false),
            () => setVisible(true),
            random.between(1_000, 2 * minute),
          ),
      ],
      [
        2,
        () =>
          between(
            () => setOnline(false),
            () => setOnline(true),
            random.between(1_000, minute),
          ),
      ],
      [
        1,
        () =>
          between(
            () => leave('pagehide'),
            () => leave('pageshow'),
            random.between(1_000, minute),
          ),
      ],
    ])()
  }
  const leave = (type: 'pagehide' | 'pageshow') => window.dispatchEvent(new Event(type))

  async function between(begin: () => void, end: () => void, ms: number): Promise<void> {
    begin()
    await time.sleep(ms)
    end()
  }

  /** The service fails all the time; perhaps it is just then that the clock goes wrong. */
  async function outage(): Promise<void> {
    network.setFaultRate(0.5)
    await Promise.all([time.sleep(3 * minute), random.chance(0.3) && jump(random.pick(jumps))])
    network.setFaultRate(usualFaults)
  }

  /** The machine's clock goes wrong, and is put right again. */
  async function jump(by: number): Promise<void> {
    const set = (ahead: number) => {
      const change = ahead - time.ahead()
      ledger.noteJump(change)
      time.setAhead(ahead)
    }
    await between(
      () => set(by),
      () => set(0),
      random.between(minute, 5 * minute),
    )
  }

  async function playDay(start: number): Promise<void> {
    for (let past = 0; past < sessions; past += 1) {
      await time.sleep(start + (past * 22 * hour) / sessions + random.between(0, hour) - time.now())
      await session()
    }
    await time.sleep(start + 23 * hour - time.now())
    await lookAgain()
  }

  async function leftovers(): Promise<Leftovers> {
    const heap = await heapInUse()
    const records = [...database.records.keys()].map(record)
    return {
      timers: vi.getTimerCount(),
      listeners: listeners(),
      channels: database.openChannels.size,
      inFlight,
      outdated: records.filter(({ updatedAt }) => updatedAt < Date.now() - 48.5 * hour).length,
      elements: document.body.childElementCount,
      cacheEntries,
      heap,
      clients: heap === undefined ? 0 : clients.alive(),
    }
  }

  const days: Day[] = []
  const start = time.now()
  try {
    await time.run(lookAgain())
    const baseline = await leftovers()
    ledger.closeDay(network.endDay('free'))
    for (let day = 0; day < count; day += 1) {
      await time.run(playDay(start + day * 24 * hour))
      const left = await leftovers()
      const result = { ...ledger.closeDay(network.endDay(random.pick(plans))), leftovers: left }
      for (const leak of leaksOf(left, baseline)) ledger.find(`day ${day + 1} leaves ${leak}`)
      days.push(result)
      onDay(result, day)
      // The next one begins at midnight.
      await time.run(time.sleep(start + (day + 1) * 24 * hour - time.now()))
    }
    return { days, findings: ledger.findings }
  } finally {
    vi.unstubAllGlobals()
    time.stop()
  }
}
