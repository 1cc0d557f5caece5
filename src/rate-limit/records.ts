import { maxAddresses, mergeFailures } from './failures.ts'
import {
  clockTolerance,
  emptyRecord,
  type GateRecord,
  type GateWindow,
  mapTimes,
  maxWaitingPages,
  rebaseAfterClockRollback,
} from './GateRecord.ts'
import type { FleetRecords } from './RateLimitStore.ts'
import type { Clock } from '../base/Clock.ts'
import { countUnits, endWindows, tighterWindow } from './windows.ts'
import { day } from './plan.ts'

/** Waits are at most a day, plus jitter. In ms. */
const maxRecordedWait = day + 1_000

/** More batches than pages have in flight: each of them costs time with every decision. */
const maxBatches = 512

/** The longest list of a record has 601 items. */
const maxItems = 1_000

/**
 * Reads what a store holds, which may be anything: a record of another version, data of another program, nothing. Of a
 * record with an invalid field only the cool-down counts. No record keeps an app waiting for longer than a day.
 */
export function readRecord(stored: unknown): GateRecord {
  if (!hasTimes(stored)) return emptyRecord
  const { updatedAt, cooldownUntil } = stored
  const record = isRecord(stored) ? stored : { ...emptyRecord, updatedAt, cooldownUntil }
  return mapTimes(record, (time) => Math.min(time, updatedAt + maxRecordedWait))
}

/** An object of any keys, whose values are like one model. */
class Dictionary {
  readonly item: unknown
  readonly maxSize: number

  constructor(item: unknown, maxSize: number) {
    this.item = item
    this.maxSize = maxSize
  }
}

const times = { updatedAt: 0, cooldownUntil: 0 }

/** A value is like its model if it has the same types, and its numbers are finite and not negative. `?`: may be missing. */
const model: Readonly<Record<Exclude<keyof GateRecord, 'users'>, unknown>> = {
  ...emptyRecord,
  windows: [{ limit: 0, remaining: 0, reset: 0, resetAt: 0, 'span?': 0, 'contradictions?': 0 }],
  localUsage: [{ at: 0, count: 0 }],
  inFlight: new Dictionary({ count: 0, since: 0, until: 0, 'owner?': '' }, maxBatches),
  waiting: new Dictionary({ user: true, background: true, from: 0, served: 0, 'owner?': '' }, maxWaitingPages),
  failures: {
    ...emptyRecord.failures,
    addresses: new Dictionary({ failedAt: 0, retryAt: 0, status: 0 }, maxAddresses),
  },
  // Clocks may be behind.
  skew: {},
}

function hasTimes(stored: unknown): stored is typeof times {
  return isLike(stored, times)
}

function isRecord(stored: unknown): stored is GateRecord {
  if (!isLike(stored, model)) return false
  const { skew, maxInFlight }: { readonly [Field in keyof GateRecord]?: unknown } = Object(stored)
  const { min, max } = Object(skew)
  return Number.isFinite(min) && Number.isFinite(max) && Number(maxInFlight) >= 1
}

function isLike(value: unknown, like: unknown): boolean {
  if (typeof like === 'number') return Number.isFinite(value) && Number(value) >= 0
  if (typeof like !== 'object' || like === null) return typeof value === typeof like
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(like)) {
    return Array.isArray(value) && value.length <= maxItems && value.every((item) => isLike(item, like[0]))
  }
  if (like instanceof Dictionary) {
    const items = Object.values(value)
    return items.length <= like.maxSize && items.every((item) => isLike(item, like.item))
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  return Object.entries(like).every(([name, item]) => {
    const field = fields.get(name.replace('?', ''))
    return (field === undefined && name.endsWith('?')) || isLike(field, item)
  })
}

/** Merges two records of one key so that the gate opens no earlier than either of them allows. */
export function mergeRecords(first: GateRecord, second: GateRecord): GateRecord {
  const clearedAt = Math.max(first.clearedAt, second.clearedAt)
  const one = clear(first, clearedAt)
  const other = clear(second, clearedAt)
  const newer = one.updatedAt >= other.updatedAt ? one : other
  const { cooldownStartedAt, cooldownOwner } = one.cooldownStartedAt < other.cooldownStartedAt ? other : one
  // A record without the last cool-down has outdated windows: a probe has to find out what is left.
  const windowsOf = (record: GateRecord) =>
    record.cooldownStartedAt === cooldownStartedAt ? record.windows : endWindows(record.windows, cooldownStartedAt)
  return {
    ...newer,
    clearedAt,
    cooldownUntil: Math.max(one.cooldownUntil, other.cooldownUntil),
    cooldownStartedAt,
    cooldownOwner,
    consecutiveRefusals: Math.max(one.consecutiveRefusals, other.consecutiveRefusals),
    failures: mergeFailures(one.failures, other.failures),
    maxInFlight: Math.min(one.maxInFlight, other.maxInFlight),
    windows: mergeWindows(windowsOf(one), windowsOf(other)),
    // Not the sum: both records know most of the units, and a sum would double them with each merge.
    localUsage: countUnits(one.localUsage) >= countUnits(other.localUsage) ? one.localUsage : other.localUsage,
    // Expired requests are left out: the record that knew them has spent their units.
    inFlight: Object.fromEntries(
      Object.entries(mergeInFlight(one.inFlight, other.inFlight)).filter(([, { until }]) => until > newer.updatedAt),
    ),
    lostUnits: Math.max(one.lostUnits, other.lostUnits),
    waiting: Object.fromEntries(
      Object.entries({ ...one.waiting, ...other.waiting, ...newer.waiting }).slice(-maxWaitingPages),
    ),
  }
}

/** Of a batch that both know, one record is outdated. Too many in flight only cost units. */
function mergeInFlight(ones: GateRecord['inFlight'], others: GateRecord['inFlight']): GateRecord['inFlight'] {
  const merged = { ...others }
  for (const [id, batch] of Object.entries(ones)) if (batch.count > (others[id]?.count ?? 0)) merged[id] = batch
  return merged
}

/** Forgets what a record knows from before a reset that it has missed. */
function clear(record: GateRecord, clearedAt: number): GateRecord {
  if (record.clearedAt === clearedAt || record.cooldownStartedAt > clearedAt) return record
  const { updatedAt, inFlight, lostUnits, skew } = record
  return { ...emptyRecord, updatedAt, inFlight, lostUnits, skew }
}

function mergeWindows(ones: readonly GateWindow[], others: readonly GateWindow[]): GateWindow[] {
  const sameLimit = (windows: readonly GateWindow[], { limit }: GateWindow) =>
    windows.find((window) => window.limit === limit)
  const merged = ones.map((window) => tighterWindow(window, sameLimit(others, window) ?? window))
  return [...merged, ...others.filter((window) => !sameLimit(ones, window))]
}

/** Whether a record was last written two days before the newest one: all of its waits are over. */
export function isOutdated(record: unknown, newest: unknown): boolean {
  return writtenAt(record) < writtenAt(newest) - 2 * day
}

function writtenAt(record: unknown): number {
  const { updatedAt }: { readonly updatedAt?: unknown } = Object(record)
  return typeof updatedAt === 'number' ? updatedAt : 0
}

/** A page's copy of a stored record, which it changes while the store does not work. */
interface RecordCopy {
  readonly latest: GateRecord
  /** Whether it has changes that the store may not have. */
  readonly isUnsynced: boolean
  /** Takes a record that others have stored. Returns whether it is news. */
  readonly receive: (stored: unknown) => boolean
  readonly changeInMemory: (change: RecordChanger) => void
  /** Merges the copy into the store with the next update: its last change may not be stored. */
  readonly markUnsynced: () => void
  readonly beginUpdate: (change: RecordChanger) => CopyUpdate
}

type RecordChanger = (record: GateRecord) => GateRecord

/** One update of the store. */
interface CopyUpdate {
  /** Makes the change on the stored value. The store may repeat it. */
  readonly changeStored: (value: unknown) => unknown
  /** Makes the change in memory, unless it is made. From then on, `changeStored` merges instead of making it again. */
  readonly changeInMemory: () => void
  readonly isMade: boolean
}

export function createRecordCopy(clock: Clock, fleet: FleetRecords | undefined): RecordCopy {
  let latest = readRecord(undefined)
  /** The record in memory, while it has changes that the store does not have. */
  let unsynced: GateRecord | undefined
  const repairTimes = fleet?.createRepair(clock)
  const own = fleet?.createOwnBatches()

  function repair(): void {
    const repaired = repairTimes?.(latest) ?? latest
    if (repaired === latest) return
    latest = repaired
    unsynced &&= latest
  }

  function make(change: RecordChanger, record: GateRecord): GateRecord {
    const changed = change(record)
    own?.note(record, changed)
    return changed
  }

  function read(stored: unknown, inMemory: GateRecord | undefined, hasLost = false): GateRecord {
    const record = stored === latest ? latest : readRecord(stored)
    if (!inMemory) return record
    return mergeAt(clock.now(), ...(own?.divide(record, inMemory, hasLost) ?? [record, inMemory]))
  }

  /** An app may delete all databases on log-out, and Redis may lose changes. What this page knows stays true. */
  function hasForgotten(known: GateRecord, stored: unknown): boolean {
    if (stored === undefined) return known.updatedAt > 0
    return fleet?.isOlder(stored, known) ?? false
  }

  /** Whether nobody has set the clock back since. */
  function isTimely({ updatedAt }: GateRecord): boolean {
    return updatedAt <= clock.now() + clockTolerance
  }

  function changeInMemory(change: RecordChanger): void {
    repair()
    latest = make(change, latest)
    unsynced = latest
  }

  function beginUpdate(change: RecordChanger): CopyUpdate {
    let madeIn: 'store' | 'memory' | undefined
    let known: GateRecord | undefined
    let merged: GateRecord | undefined
    return {
      get isMade() {
        return madeIn !== undefined
      },
      changeStored: (value) => {
        repair()
        known ??= latest
        merged = unsynced ?? merged // the store may repeat the update: then it is merged again
        const hasLost = hasForgotten(known, value)
        if (hasLost) merged ??= known
        const before = read(value, merged, hasLost)
        const record = isTimely(known) ? keepCooldown(before, known) : before
        // After the timeout, the change is in memory and `read` has merged it.
        const changed = madeIn === 'memory' ? record : make(change, record)
        madeIn ??= 'store'
        latest = changed
        unsynced = undefined
        return changed === before && !merged ? value : changed
      },
      changeInMemory: () => {
        if (madeIn) unsynced = latest
        else changeInMemory(change)
        madeIn = 'memory'
      },
    }
  }

  return {
    get latest() {
      return latest
    },
    get isUnsynced() {
      return unsynced !== undefined
    },
    receive: (stored) => {
      if (stored === latest) return false
      repair()
      const received = read(stored, unsynced)
      // Changes may arrive late, so the older one is ignored, unless the clock was set back since the newer one. Of one
      // moment the record without the cool-down of the other is older.
      const isOlder = received.updatedAt < latest.updatedAt + Number(keepCooldown(received, latest) !== received)
      if (isOlder && isTimely(latest)) {
        const kept = keepCooldown(latest, received)
        if (kept === latest) return false
        latest = unsynced = kept
        return true
      }
      latest = received
      return true
    },
    changeInMemory,
    markUnsynced: () => {
      unsynced = latest
    },
    beginUpdate,
  }
}

/** A record without a cool-down that is known comes from a store that has lost it, unless an app has reset the gate. */
function keepCooldown(record: GateRecord, known: GateRecord): GateRecord {
  const { clearedAt, cooldownStartedAt, cooldownUntil } = known
  const isKept = record.clearedAt !== clearedAt || record.cooldownUntil >= cooldownUntil
  return isKept ? record : { ...record, cooldownStartedAt, cooldownUntil }
}

function mergeAt(now: number, stored: GateRecord, inMemory: GateRecord): GateRecord {
  const merged = mergeRecords(rebaseAfterClockRollback(stored, now), rebaseAfterClockRollback(inMemory, now))
  return { ...merged, updatedAt: merged.updatedAt + 1 } // newer than both, so that neither replaces it
}
