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
/** The usual share of requests that fail. */
const usualFaultRate = 0.02
const clockJumps = [-hour, -30_000, 30_000, hour]
const plans: readonly PlanName[] = ['free', 'pro', 'business']

/** Resources that still exist at the end of a day, after all tabs have closed. */
export interface Leftovers {
  readonly timers: number
  readonly listeners: number
  readonly channels: number
  /** Requests in flight, according to the record of the current key. */
  readonly inFlight: number
  /** Records that were not updated for more than two days. */
  readonly outdated: number
  /** Clients that are still reachable; 0 if Node does not expose `gc`. */
  readonly clients: number
  readonly elements: number
  /** The maximum of entries per client in a tab's SWR cache. */
  readonly cacheEntries: number
  /** In bytes. */
  readonly heap: number | undefined
}

export interface Day extends DayFigures {
  readonly leftovers: Leftovers
}

export interface Soak {
  readonly days: readonly Day[]
  /** All inconsistencies. */
  readonly findings: readonly string[]
}

/** React and the engine keep the last of some objects until new ones replace them. A day has about twenty clients. */
const maxReachableClients = 3

/** Describes each leftover above its limit. Some limits are the values after the very first tab. */
function leaksOf(left: Leftovers, baseline: Leftovers): string[] {
  const { timers, channels, inFlight, outdated, listeners, elements, clients, cacheEntries } = left
  const limits = [
    ['timers', timers, 0],
    ['channels', channels, 0],
    ['inFlight', inFlight, 0],
    ['outdated records', outdated, 0],
    ['listeners', listeners, baseline.listeners],
    ['elements', elements, baseline.elements],
    ['clients', clients, maxReachableClients],
    ['cache entries for a client', cacheEntries, maxEntries],
  ] as const
  return limits.filter(([, found, max]) => found > max).map(([name, found, max]) => `${found} ${name} (at most ${max})`)
}

export interface SoakOptions {
  readonly days: number
  readonly seed: number
  /** How many times a day people use the app. */
  readonly sessions: number
  readonly onDay?: (day: Day, index: number) => void
}

/** Simulates days of an app that people use in several tabs. */
export async function playDays({ days: count, seed, sessions, onDay = () => {} }: SoakOptions): Promise<Soak> {
  const time = startVirtualTime(Date.UTC(2026, 0, 5), createRandom(seed + 1))
  const random = createRandom(seed)
  const ledger = createLedger(time)
  const database = startDatabase(createRandom(seed + 2), ledger.noteRecord)
  const network = createNetwork(time, random, ledger)
  const listeners = countListeners()
  const clients = countAlive()
  vi.stubGlobal('BroadcastChannel', SlowChannel)
  let tabCount = 0
  let cacheEntries = 0
  let inFlight = 0

  const record = (name: string) => database.records.get(name) as GateRecord
  const open = (): Tab => {
    tabCount += 1
    return openTab({
      name: `tab ${tabCount}`,
      network,
      ledger,
      usesKeyFunction: random.chance(0.7),
      onClient: clients.add,
    })
  }
  const setVisible = (isVisible: boolean) => {
    Object.defineProperty(document, 'visibilityState', { value: isVisible ? 'visible' : 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    window.dispatchEvent(new Event(isVisible ? 'focus' : 'blur'))
  }
  const setOnline = (isOnline: boolean) => window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))

  /** Opens a tab, uses it and closes or crashes it, sometimes followed by a reload. */
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

  /** Opens an idle tab with every part. Leftovers of the day would slow it down or break it. */
  async function openIdleTab(): Promise<void> {
    const tab = open()
    network.setFaultRate(0)
    tab.show(kinds.map(([, kind], id) => ({ id, kind, petId: '1' })))
    await time.sleep(10_000)
    // All responses have arrived by now. A lost request would still be in flight.
    inFlight = Object.keys(record(network.record()).inFlight).length
    await time.sleep(minute)
    network.setFaultRate(usualFaultRate)
    close(tab)
    await time.sleep(minute)
  }

  async function session(): Promise<void> {
    const tabs = Array.from({ length: random.between(1, 5) }, async () => {
      await time.sleep(random.between(0, 3 * minute))
      await liveTab()
    })
    await Promise.all([...tabs, randomIncident(), randomIncident()])
  }

  async function randomIncident(): Promise<void> {
    await time.sleep(random.between(minute, 10 * minute))
    await random.pickWeighted<() => Promise<void>>([
      [3, async () => network.exhaustQuota()],
      [1, async () => network.provokeBan()],
      [1, async () => network.rotateKey(random.pick(plans))],
      [1, async () => network.changePlan(random.pick(plans))],
      [2, outage],
      [2, () => clockJump(random.pick(clockJumps))],
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

  /** Half of all requests fail. Sometimes the clock jumps at the same time. */
  async function outage(): Promise<void> {
    network.setFaultRate(0.5)
    await Promise.all([time.sleep(3 * minute), random.chance(0.3) && clockJump(random.pick(clockJumps))])
    network.setFaultRate(usualFaultRate)
  }

  /** Sets the machine's clock wrong for a few minutes. */
  async function clockJump(by: number): Promise<void> {
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
    for (let index = 0; index < sessions; index += 1) {
      await time.sleep(start + (index * 22 * hour) / sessions + random.between(0, hour) - time.now())
      await session()
    }
    await time.sleep(start + 23 * hour - time.now())
    await openIdleTab()
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
    await time.run(openIdleTab())
    const baseline = await leftovers()
    ledger.closeDay(network.endDay('free'))
    for (let day = 0; day < count; day += 1) {
      await time.run(playDay(start + day * 24 * hour))
      const left = await leftovers()
      const result = { ...ledger.closeDay(network.endDay(random.pick(plans))), leftovers: left }
      for (const leak of leaksOf(left, baseline)) ledger.addFinding(`day ${day + 1} leaves ${leak}`)
      days.push(result)
      onDay(result, day)
      // The next day starts at midnight.
      await time.run(time.sleep(start + (day + 1) * 24 * hour - time.now()))
    }
    return { days, findings: ledger.findings }
  } finally {
    vi.unstubAllGlobals()
    time.stop()
  }
}
