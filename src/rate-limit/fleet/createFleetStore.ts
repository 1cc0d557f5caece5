import { type Fleet, fleet, type FleetStore, type RateLimitStore, type StoreClock } from '../RateLimitStore.ts'
import { readRecord } from '../records.ts'
import { createFleetGate } from './fleetGate.ts'
import { createOwnBatches, leaseTime } from './heldUnits.ts'
import type { Clock } from '../../base/Clock.ts'
import { clockTolerance, type GateRecord, mapTimes } from '../GateRecord.ts'

/** A store that processes on several machines share. */
export interface SharedStore extends RateLimitStore {
  /** The clock of the store, in epoch ms: the clocks of the machines differ. */
  readonly now: () => number
  /** The processes that share a record. */
  readonly processes: (name: string) => Pick<KnownProcesses, 'count' | 'areComplete'>
}

/** Adds the parts of the gate that only a fleet needs. */
export function createFleetStore(store: SharedStore): FleetStore {
  const parts: Fleet = {
    leaseTime,
    maxPause: 30_000,
    createClock: (clock) => createStoreClock(clock, store.now),
    createRepair: createClockRepair,
    createOwnBatches,
    isOlder: (stored, than) => readRecord(stored).updatedAt < than.updatedAt,
    createGate: (options) => {
      // While the store fails, and until all others are back, each process continues with its part of the quota.
      const countProcesses = () => {
        const { count, areComplete } = store.processes(options.name)
        return areComplete && !options.isCutOff() ? 1 : count
      }
      return createFleetGate(options, countProcesses)
    },
  }
  return { ...store, [fleet]: parts }
}

/** A smaller difference from the last one is no news, in ms: else one time would have many translations. */
const tolerance = 50

/** @param now - the clock of the store, in epoch ms */
export function createStoreClock(clock: Clock, now: () => number): StoreClock {
  let ahead = 0
  return {
    ...clock,
    now,
    toLocal: (time) => {
      const difference = now() - clock.now()
      if (Math.abs(difference - ahead) > tolerance) ahead = difference
      return time - ahead
    },
  }
}

/** The clock of a store is unknown before its first response: what was recorded until then moves with it. */
export function createClockRepair(clock: Clock): (record: GateRecord) => GateRecord {
  const difference = () => clock.now() - clock.monotonic()
  let ahead = difference()
  return (record) => {
    const moved = difference() - ahead
    if (Math.abs(moved) <= clockTolerance) return record
    ahead += moved
    return mapTimes(record, (time) => (time === 0 ? 0 : Math.max(0, time + moved)))
  }
}

/** The processes that share a record, as one of them knows them. */
export interface KnownProcesses {
  /** How many there are, or were before the store failed. */
  readonly count: number
  /** Whether the store knows of all of them: after a failure others may still use their parts without it. */
  readonly areComplete: boolean
  /** Since when they have to be back (epoch ms of the store's clock), or nothing if they are complete. */
  readonly since: number | undefined
  /** Call it when the store has failed. */
  readonly fail: () => void
  /**
   * Call it when the store has responded.
   *
   * @param count - how many have used the record lately
   * @param back - how many of them have used it since `since`
   */
  readonly learn: (count: number, back: number) => void
}

/** A process that is not back after this time is gone, in ms: each tries the store again in half a minute at the latest. */
const returnTime = 31_000

/** @param now - the clock of the store, in epoch ms */
export function createKnownProcesses(now: () => number): KnownProcesses {
  let count = 1
  let before: number | undefined
  let since: number | undefined
  let recoveredAt: number | undefined

  return {
    get count() {
      return before ?? count
    },
    get areComplete() {
      return before === undefined
    },
    get since() {
      return since
    },
    fail: () => {
      before ??= count
      since = now()
      recoveredAt = undefined
    },
    learn: (known, back) => {
      count = known
      recoveredAt ??= now()
      if (before === undefined || (back < before && now() < recoveredAt + returnTime)) return
      before = undefined
      since = undefined
    },
  }
}
