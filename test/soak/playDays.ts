import { vi } from 'vitest'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { countInFlight } from '../../src/rate-limit/windows.ts'
import { plans, randomIncident, usualFaultRate } from './incidents.ts'
import { createLedger, type DayFigures } from './ledger.ts'
import { createLeftoverCounter, leaksOf, type Leftovers } from './leftovers.ts'
import { createNetwork } from './network.ts'
import { createRandom } from './random.ts'
import { SlowChannel, startDatabase } from './sharedDatabase.ts'
import { openTab, type Tab } from './Tab.tsx'
import { startVirtualTime } from './virtualTime.ts'
import { kinds, visit } from './visit.ts'
import { createWaitWatcher, type ExplainedWaits } from './waits.ts'

const minute = 60_000
const hour = 60 * minute

export interface Day extends DayFigures {
  /** What the developer tools said about calls that wait, once a second. */
  readonly explained: ExplainedWaits
  readonly leftovers: Leftovers
}

export interface Soak {
  readonly days: readonly Day[]
  /** All inconsistencies. */
  readonly findings: readonly string[]
  /** How often a gate was looked at while one address alone was dead. */
  readonly calmLooks: number
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
  const context = { time, random, ledger, network }
  const counter = createLeftoverCounter(database)
  const waits = createWaitWatcher(ledger.addFinding, network.brokenOperations)
  const stopWatching = new Map<Tab, (() => void)[]>()
  vi.stubGlobal('BroadcastChannel', SlowChannel)
  let tabCount = 0
  const ofTabs = { inFlight: 0, cacheEntries: 0 }

  function open(): Tab {
    tabCount += 1
    const usesKeyFunction = random.chance(0.7)
    const watches: (() => void)[] = []
    const tab = openTab({
      name: `tab ${tabCount}`,
      network,
      ledger,
      usesKeyFunction,
      onClient: (client) => {
        counter.addClient(client)
        watches.push(waits.watch(client, () => tab.isAlive))
      },
    })
    stopWatching.set(tab, watches)
    return tab
  }

  function close(tab: Tab): void {
    ofTabs.cacheEntries = Math.max(ofTabs.cacheEntries, tab.cacheEntries())
    for (const stop of stopWatching.get(tab) ?? []) stop()
    stopWatching.delete(tab)
    tab.close()
  }

  /** Opens a tab, uses it and closes or crashes it, sometimes followed by a reload. */
  async function liveTab(): Promise<void> {
    const tab = open()
    await visit(tab, time.now() + random.between(minute, 15 * minute), context)
    if (tab.isAlive) close(tab)
    if (random.chance(0.2)) await liveTab()
    if (!tab.isAlive) close(tab)
  }

  /** Opens an idle tab with every part. Leftovers of the day would slow it down or break it. */
  async function openIdleTab(): Promise<void> {
    const tab = open()
    network.setFaultRate(0)
    tab.show(kinds.map(([, kind], id) => ({ id, kind, petId: '1' })))
    await time.sleep(10_000)
    // All responses have arrived by now. A lost request would still be in flight.
    const record = database.records.get(network.record()) as GateRecord
    ofTabs.inFlight = countInFlight(record)
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
    await Promise.all([...tabs, randomIncident(context), randomIncident(context)])
  }

  async function playDay(start: number): Promise<void> {
    for (let index = 0; index < sessions; index += 1) {
      await time.sleep(start + (index * 22 * hour) / sessions + random.between(0, hour) - time.now())
      await session()
    }
    await time.sleep(start + 23 * hour - time.now())
    await openIdleTab()
  }

  const days: Day[] = []
  const start = time.now()
  try {
    await time.run(openIdleTab())
    const baseline = await counter.count(ofTabs)
    ledger.closeDay(network.endDay('free'))
    for (let day = 0; day < count; day += 1) {
      await time.run(playDay(start + day * 24 * hour))
      const leftovers = await counter.count(ofTabs)
      const explained = waits.takeExplained()
      const result = { ...ledger.closeDay(network.endDay(random.pick(plans))), explained, leftovers }
      for (const leak of leaksOf(leftovers, baseline)) ledger.addFinding(`day ${day + 1} leaves ${leak}`)
      days.push(result)
      onDay(result, day)
      // The next day starts at midnight.
      await time.run(time.sleep(start + (day + 1) * 24 * hour - time.now()))
    }
    return { days, findings: ledger.findings, calmLooks: waits.calmLooks() }
  } finally {
    vi.unstubAllGlobals()
    time.stop()
  }
}
