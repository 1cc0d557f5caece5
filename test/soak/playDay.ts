import { vi } from 'vitest'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { countInFlight } from '../../src/rate-limit/windows.ts'
import { randomIncident, usualFaultRate } from './incidents.ts'
import { createLedger } from './ledger.ts'
import { createLeftoverCounter, leaksOf } from './leftovers.ts'
import { createNetwork } from './network.ts'
import { createRandom } from './random.ts'
import { SlowChannel, startDatabase } from './sharedDatabase.ts'
import { openTab, type Tab } from './Tab.tsx'
import { startVirtualTime } from '../virtualTime.ts'
import { kinds, visit } from './visit.ts'

const minute = 60_000
const hour = 60 * minute

export interface Day {
  readonly calls: number
  /** All inconsistencies. */
  readonly findings: readonly string[]
}

export interface DayOptions {
  readonly seed: number
  /** How many times people use the app. */
  readonly sessions: number
}

/** Simulates a day of an app that people use in several tabs. */
export async function playDay({ seed, sessions }: DayOptions): Promise<Day> {
  const time = startVirtualTime(Date.UTC(2026, 0, 5), seed + 1)
  const random = createRandom(seed)
  const ledger = createLedger(time)
  const database = startDatabase(createRandom(seed + 2))
  const network = createNetwork(time, random, ledger)
  const context = { time, random, ledger, network }
  const counter = createLeftoverCounter(time, database)
  vi.stubGlobal('BroadcastChannel', SlowChannel)
  let tabCount = 0
  const ofTabs = { inFlight: 0, cacheEntries: 0 }

  function open(): Tab {
    tabCount += 1
    return openTab({ name: `tab ${tabCount}`, network, ledger, usesKeyFunction: random.chance(0.7) })
  }

  function close(tab: Tab): void {
    ofTabs.cacheEntries = Math.max(ofTabs.cacheEntries, tab.cacheEntries())
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

  async function playAllDay(start: number): Promise<void> {
    for (let index = 0; index < sessions; index += 1) {
      await time.sleep(start + (index * 22 * hour) / sessions + random.between(0, hour) - time.now())
      await session()
    }
    await time.sleep(start + 23 * hour - time.now())
    await openIdleTab()
  }

  async function run(work: Promise<void>): Promise<void> {
    const ending = await time.run(work, Infinity)
    if (ending === 'stuck') throw new Error('No timers are left, but the work has not settled.')
    await work
  }

  const start = time.now()
  try {
    await run(openIdleTab())
    const baseline = counter.count(ofTabs)
    ledger.closeDay(network.endDay())
    await run(playAllDay(start))
    for (const leak of leaksOf(counter.count(ofTabs), baseline)) ledger.addFinding(`the day leaves ${leak}`)
    return { calls: ledger.closeDay(network.endDay()), findings: ledger.findings }
  } finally {
    vi.unstubAllGlobals()
    time.stop()
  }
}
