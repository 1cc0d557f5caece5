import { withTimeout } from '../base/abort.ts'
import type { Clock } from '../base/Clock.ts'
import {
  clockTolerance,
  emptyRecord,
  type GateRecord,
  joinRecords,
  readRecord,
  rebaseAfterClockRollback,
} from './GateRecord.ts'
import { divideRest, withoutOthers } from './windows.ts'
import type { RateLimitStore, StoreStatus } from './RateLimitStore.ts'

/** A change of the record, which is made on the page's copy at once, and once more on the stored record. */
export type Change = (record: GateRecord, now: number) => GateRecord

/** What the next update is to do: a change, or nothing but a decision. */
interface Task {
  readonly change: Change | undefined
  readonly onDone: () => void
}

/** A stored record with the changes of this page that no update has made yet. */
export interface SharedRecord {
  readonly latest: GateRecord
  /** Adds a change, and asks for a decision in the store. Resolves when all changes until now are made. Never rejects. */
  readonly update: (change?: Change) => Promise<void>
  readonly isUpdating: boolean
  /** While the store fails: how many processes share the quota without hearing each other, where the store tells. */
  readonly cutOffAmong: number | undefined
  /** When the store is to be tried again, in epoch ms; infinite while it works. */
  readonly retryAt: () => number
  /** From the next update on it listens to changes by others, until `close` is called. */
  readonly open: () => void
  readonly close: () => void
}

interface SharedRecordOptions<Decision extends { readonly record: GateRecord }> {
  readonly store: RateLimitStore
  readonly name: string
  readonly clock: Clock
  /** Names the page in the record. */
  readonly page: string
  /** Called within each update, after the changes. Its `record` is stored. May be called again by the store. */
  readonly decide: (record: GateRecord, now: number) => Decision
  /** Called after each update, with the last decision and its time (epoch ms). */
  readonly onDecision: (decision: Decision, decidedAt: number) => void
  /** Called when no change is left to store, and after each change by others. */
  readonly onChange: () => void
  /** Called when the store fails, and when it works again. */
  readonly onStoreStatus?: ((status: StoreStatus) => void) | undefined
}

/** How long an update may take, in ms: another tab may block the store in the middle of its own. */
const updateTimeout = 2_000
/** After a failure the store is left alone for so long, in ms; twice as long after each further one. */
const firstPause = 1_000
const maxPause = 60_000

/**
 * Makes changes and decisions in a store, one update at a time. What a slow or failing store does not make in time is made
 * in memory, and joined with the stored record when the store works again.
 */
export function createSharedRecord<Decision extends { readonly record: GateRecord }>(
  options: SharedRecordOptions<Decision>,
): SharedRecord {
  const { store, name, clock, page, decide, onDecision, onChange, onStoreStatus } = options
  /** As it is stored, or as it would be. */
  let base = emptyRecord
  let tasks: Task[] = []
  let latest: GateRecord | undefined
  /** Whether `base` has what the store may lack. */
  let isUnsynced = false
  let updating: Promise<void> | undefined
  /** Among how many processes the rest of the quota was divided when the store failed. */
  let processes: number | undefined
  let isOpen = false
  let unsubscribe: unknown
  const pause = createStorePause(clock, onStoreStatus)
  let lateUpdates = 0

  function setBase(record: GateRecord): void {
    base = record
    latest = undefined
  }

  function subscribe(): void {
    unsubscribe ??= store.subscribe(name, (stored) => {
      if (stored === base) return
      const now = clock.now()
      const read = rebaseAfterClockRollback(readRecord(stored), now)
      // After the clock was set back, what another page has repaired counts.
      const own = rebaseAfterClockRollback(base, now)
      // A newer record has all that this page knows, unless the store has lost it.
      const isComplete = read.updatedAt > own.updatedAt && read.cooldownUntil >= own.cooldownUntil
      setBase(isUnsynced || (own === base && !isComplete) ? joinRecords(read, own, page) : read)
      // A store that has news works again.
      if (pause.isOn()) {
        pause.end()
        void update()
      }
      onChange()
    })
  }

  async function updateOnce(): Promise<void> {
    let made: readonly [Decision, number] | undefined
    let isOver = false
    let isLate = false
    let taken: readonly Task[] = []
    /** What the page knew before. */
    let start: { readonly known: GateRecord; readonly isUnsynced: boolean } | undefined

    function make(record: GateRecord): GateRecord {
      if (!made) {
        // Not earlier: until now `latest` has their changes.
        taken = tasks
        tasks = []
      }
      // Clocks differ a little, and a record never becomes older.
      const now = clock.now()
      const at = record.updatedAt - now <= clockTolerance ? Math.max(record.updatedAt, now) : now
      const decision = decide(applyChanges(taken, record, at), at)
      made = [decision, at]
      return decision.record
    }

    function changeStored(stored: unknown): unknown {
      const now = clock.now()
      const value = stored === base ? base : readRecord(stored)
      const read = rebaseAfterClockRollback(value, now)
      // Where the update has ended, its record is joined and nothing is decided: requests that it admits would never leave.
      if (!start || isOver) start = { known: base, isUnsynced: isUnsynced || isLate }
      const known = rebaseAfterClockRollback(start.known, now)
      // An app may delete all databases on log-out. What this page knows stays true.
      const isOlder = known === start.known && read.updatedAt < known.updatedAt
      const hasLost = isOlder && (stored === undefined || read.cooldownUntil < known.cooldownUntil)
      const isJoined = start.isUnsynced || hasLost
      const before = isJoined ? joinRecords(read, known, page) : read
      const after = isOver ? before : make(before)
      setBase(after)
      isUnsynced = false
      return after === value ? stored : after
    }

    // In an async function, because an app's own store may throw synchronously.
    const updateStore = async (): Promise<void> => {
      if (isOpen) subscribe()
      await store.update(name, changeStored)
    }
    const refuse = () => {
      isUnsynced ||= made !== undefined // it may not be stored
      // What the others have in flight is no longer known.
      if (processes) setBase(withoutOthers(base, page))
      pause.begin()
    }
    const accept = () => {
      // A store that is always late is tried less and less often.
      pause.end(!isLate)
      if (!isLate) processes = undefined
      if (isUnsynced && isOpen) void update()
    }
    if (!pause.isOn()) {
      const updated = updateStore()
        .then(accept, refuse)
        .finally(() => (lateUpdates -= isLate ? 1 : 0))
      // One that another one holds up takes as long as that one, which may never end.
      await withTimeout(updated, lateUpdates > 0 ? 0 : updateTimeout, clock, () => {
        isLate = isOver = true
        lateUpdates += 1
        pause.begin()
      })
    }
    isOver = true
    if (!made) {
      // Once for each failure: a further try divides nothing again.
      if (!processes && store.processes) setBase(divideRest(base, page, store.processes))
      processes = store.processes
      const after = make(base)
      isUnsynced ||= after !== base
      setBase(after)
    }
    for (const { onDone } of taken) onDone()
    if (made) onDecision(...made)
  }

  async function updateAll(): Promise<void> {
    do await updateOnce()
    while (tasks.length > 0)
    updating = undefined
    onChange()
  }

  function update(change?: Change): Promise<void> {
    if (change) latest &&= change(latest, clock.now())
    // Starts after `updating` is set: a store may call `onChange` before its update returns.
    updating ??= Promise.resolve().then(updateAll)
    return new Promise((onDone) => tasks.push({ change, onDone }))
  }

  return {
    get latest() {
      latest ??= applyChanges(tasks, base, clock.now())
      return latest
    },
    update,
    get cutOffAmong() {
      return processes
    },
    get isUpdating() {
      return updating !== undefined
    },
    retryAt: pause.retryAt,
    open: () => {
      isOpen = true
    },
    close: () => {
      isOpen = false
      if (typeof unsubscribe === 'function') unsubscribe()
      unsubscribe = undefined
    },
  }
}

/** The times in which a store that has failed is left alone. */
function createStorePause(clock: Clock, onStoreStatus: ((status: StoreStatus) => void) | undefined) {
  /** The length of the last pause, and its end on the monotonic clock. In ms. */
  let length = 0
  let endsAt = 0
  let hasEnded = true
  const isOn = () => !hasEnded && clock.monotonic() < endsAt
  return {
    isOn,
    retryAt: () => (length > 0 ? clock.now() + endsAt - clock.monotonic() : Infinity),
    /** The store has failed, or is late. */
    begin: () => {
      if (isOn()) return // uses that fail together are one failure
      if (length === 0) onStoreStatus?.('failed')
      length = Math.min(maxPause, length * 2 || firstPause)
      endsAt = clock.monotonic() + length
      hasEnded = false
    },
    /** The store has news, or has worked; `isGood` if in time. */
    end: (isGood = false) => {
      if (isGood && length > 0) onStoreStatus?.('recovered')
      if (isGood) length = 0
      hasEnded = true
    },
  }
}

/** A cool-down that this page has heard of also lasts on the monotonic clock: setting the clock forward ends none. */
export function createSteadyCooldown(clock: Clock): (record: GateRecord, now: number) => GateRecord {
  /** The wall clock less the monotonic one, when no cool-down was known last. */
  let offset = clock.monotonicStart ?? clock.now() - clock.monotonic()
  /** In ms of the monotonic clock. */
  let endsAt = -Infinity
  let knownResets = 0
  return (stored, now) => {
    const record = rebaseAfterClockRollback(stored, now)
    const { cooldownUntil, resets, updatedAt } = record
    const monotonicNow = clock.monotonic()
    const steadyNow = offset + monotonicNow
    if (resets > knownResets) endsAt = -Infinity
    knownResets = resets
    // When the cool-down had so long to go. What was written after the clock was set forward is right by that clock.
    const writtenAt = updatedAt <= steadyNow ? Math.max(updatedAt, Math.min(now, steadyNow)) : now
    endsAt = Math.max(endsAt, monotonicNow + cooldownUntil - writtenAt)
    if (endsAt <= monotonicNow || updatedAt > steadyNow) offset = now - monotonicNow
    if (endsAt <= monotonicNow || cooldownUntil > now) return record
    return { ...record, updatedAt: now, cooldownUntil: Math.ceil(now + endsAt - monotonicNow) }
  }
}

function applyChanges(tasks: readonly Task[], record: GateRecord, now: number): GateRecord {
  return tasks.reduce((changed, { change }) => change?.(changed, now) ?? changed, record)
}
