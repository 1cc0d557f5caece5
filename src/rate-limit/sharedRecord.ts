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

/** A change of the record. It runs on the page's copy at once, and again on the stored record. */
export type Change = (record: GateRecord, now: number) => GateRecord

/** What the next update has to do: make a change and decide, or only decide. */
interface Task {
  readonly change: Change | undefined
  readonly onDone: () => void
}

export type SharedRecord = ReturnType<typeof createSharedRecord>

interface SharedRecordOptions<Decision extends { readonly record: GateRecord }> {
  readonly store: RateLimitStore
  readonly name: string
  readonly clock: Clock
  /** The id of the page in the record. */
  readonly page: string
  /** Called within each update, after the changes. Its `record` is stored. The store may repeat the call. */
  readonly decide: (record: GateRecord, now: number) => Decision
  /** Called after each update, with the last decision. */
  readonly onDecision: (decision: Decision) => void
  /** Called when no change is left to store, and after each change by others. */
  readonly onChange: () => void
  /** Called when the store fails, and when it works again. */
  readonly onStoreStatus?: ((status: StoreStatus) => void) | undefined
}

/** How long an update may take, in ms: another tab may block the store in the middle of its own. */
const updateTimeout = 2_000
/** The same while an earlier update has not ended, which may never do so. */
const shortTimeout = 100
/** How long the store is left alone after a failure, in ms; twice as long after each further one. */
const firstPause = 1_000
const maxPause = 60_000

/**
 * Makes changes and decisions in a store, one update at a time. Where the store fails or is late, they are made in memory, and
 * joined with the stored record when the store works again.
 */
export function createSharedRecord<Decision extends { readonly record: GateRecord }>(
  options: SharedRecordOptions<Decision>,
) {
  const { store, name, clock, page, decide, onDecision, onChange, onStoreStatus } = options
  /** The record as the last update has left it, in the store or in memory. */
  let base = emptyRecord
  let tasks: Task[] = []
  let latest: GateRecord | undefined
  /** Whether the store may lack something that `base` has. */
  let isUnsynced = false
  let updating: Promise<void> | undefined
  /** While the store fails: how many processes share the quota without hearing each other, where the store tells. */
  let processes: number | undefined
  let isListening = false
  let unsubscribe: unknown
  const pause = createStorePause(clock, onStoreStatus)
  /** How many updates have timed out that the store has not ended yet. */
  let lateUpdates = 0

  function setBase(record: GateRecord): void {
    base = record
    latest = undefined
  }

  function hear(stored: unknown): void {
    if (stored === base) return
    const now = clock.now()
    const read = rebaseAfterClockRollback(readRecord(stored), now)
    // After the clock was set back, what another page has repaired counts.
    const own = rebaseAfterClockRollback(base, now)
    // A newer record contains all that this page knows, unless the store had lost the record before.
    const isComplete = read.updatedAt > own.updatedAt && read.cooldownUntil >= own.cooldownUntil
    setBase(isUnsynced || (own === base && !isComplete) ? joinRecords(read, own, page) : read)
    // A store that reports a change works again.
    if (pause.isOn()) {
      pause.end()
      void update()
    }
    onChange()
  }

  async function updateOnce(): Promise<void> {
    let decided: Decision | undefined
    /** Whether nobody waits for the store any more: what it still does for this update decides nothing. */
    let isAbandoned = false
    let hasTimedOut = false
    let taken: readonly Task[] = []
    /** What the page knew before this update, for a store that repeats the change. */
    let atStart: { readonly known: GateRecord; readonly isUnsynced: boolean } | undefined

    function applyAndDecide(record: GateRecord): GateRecord {
      if (!decided) {
        // Only now: `latest` needs the tasks until they are applied to `base`.
        taken = tasks
        tasks = []
      }
      // The clocks of tabs differ a little: `updatedAt` never moves back for that.
      const now = clock.now()
      const at = record.updatedAt - now <= clockTolerance ? Math.max(record.updatedAt, now) : now
      decided = decide(applyChanges(taken, record, at), at)
      return decided.record
    }

    function changeStored(stored: unknown): unknown {
      const now = clock.now()
      const value = stored === base ? base : readRecord(stored)
      const read = rebaseAfterClockRollback(value, now)
      if (!atStart || isAbandoned) atStart = { known: base, isUnsynced: isUnsynced || hasTimedOut }
      const known = rebaseAfterClockRollback(atStart.known, now)
      // An app may delete all databases on log-out. What this page knows stays true.
      const isOlder = known === atStart.known && read.updatedAt < known.updatedAt
      const hasLost = isOlder && (stored === undefined || read.cooldownUntil < known.cooldownUntil)
      const joined = atStart.isUnsynced || hasLost ? joinRecords(read, known, page) : read
      // After the end nothing is decided: the admitted requests would never leave.
      const after = isAbandoned ? joined : applyAndDecide(joined)
      setBase(after)
      isUnsynced = false
      return after === value || (isAbandoned && isEqual(after, value)) ? stored : after
    }

    async function updateStore(): Promise<void> {
      try {
        if (isListening) unsubscribe ??= store.subscribe(name, hear)
        await store.update(name, changeStored)
        // If it was late, the next pause is still longer: a store that is always late is tried less and less often.
        pause.end(!hasTimedOut)
        if (!hasTimedOut) processes = undefined
        if (isUnsynced && isListening) void update()
      } catch {
        isUnsynced ||= decided !== undefined // the decision may not be stored
        // Nobody tells any more what other processes have in flight.
        if (processes) setBase(withoutOthers(base, page))
        pause.begin()
      }
      if (hasTimedOut) lateUpdates -= 1
    }

    if (!pause.isOn()) {
      await withTimeout(updateStore(), lateUpdates > 0 ? shortTimeout : updateTimeout, clock, () => {
        hasTimedOut = isAbandoned = true
        lateUpdates += 1
        pause.begin()
      })
    }
    isAbandoned = true
    if (!decided) {
      // Only when the store begins to fail: a further failure must not divide the part again.
      if (!processes && store.processes) setBase(divideRest(base, page, store.processes))
      processes = store.processes
      const after = applyAndDecide(base)
      isUnsynced ||= after !== base
      setBase(after)
    }
    for (const { onDone } of taken) onDone()
    if (decided) onDecision(decided)
  }

  async function updateAll(): Promise<void> {
    do await updateOnce()
    while (tasks.length > 0)
    updating = undefined
    onChange()
  }

  /** Makes a change and a decision. Resolves when they are made, in the store or, if it fails, in memory. Never rejects. */
  function update(change?: Change): Promise<void> {
    if (change) latest &&= change(latest, clock.now())
    // Starts after `updating` is set: a store may call `onChange` before its update returns.
    updating ??= Promise.resolve().then(updateAll)
    return new Promise((onDone) => tasks.push({ change, onDone }))
  }

  return {
    /** The stored record, with the changes of this page that are not stored yet. */
    get latest() {
      latest ??= applyChanges(tasks, base, clock.now())
      return latest
    },
    update,
    get processes() {
      return processes
    },
    get isUpdating() {
      return updating !== undefined
    },
    retryAt: pause.retryAt,
    /** From the next update on, changes by others are heard, until `close` is called. */
    open: () => {
      isListening = true
    },
    close: () => {
      isListening = false
      if (typeof unsubscribe === 'function') unsubscribe()
      unsubscribe = undefined
    },
  }
}

/** Whether two records say the same. Pages that store late what is stored already would wake each other again and again. */
const isEqual = (one: GateRecord, other: GateRecord): boolean =>
  JSON.stringify(readRecord(one)) === JSON.stringify(readRecord(other))

/** The times in which a store that has failed is left alone. */
function createStorePause(clock: Clock, onStoreStatus: ((status: StoreStatus) => void) | undefined) {
  /** The length of the last pause, and its end on the monotonic clock. In ms. */
  let length = 0
  let endsAt = 0
  let hasEnded = true
  const isOn = () => !hasEnded && clock.monotonic() < endsAt
  return {
    isOn,
    /** When the store is to be tried again, in epoch ms; infinite while it works. */
    retryAt: () => (length > 0 ? clock.now() + endsAt - clock.monotonic() : Infinity),
    /** The store has failed, or is late. */
    begin: () => {
      if (isOn()) return // updates that fail at the same time are one failure
      if (length === 0) onStoreStatus?.('failed')
      length = Math.min(maxPause, length * 2 || firstPause)
      endsAt = clock.monotonic() + length
      hasEnded = false
    },
    /** The store works again. Unless it was in time, the next pause still is a longer one. */
    end: (isInTime = false) => {
      if (isInTime && length > 0) onStoreStatus?.('recovered')
      if (isInTime) length = 0
      hasEnded = true
    },
  }
}

/** How much longer a cool-down stands than the wall clock says, at most: a machine may also have slept. In ms. */
const maxExtension = 300_000

/** Measures known cool-downs on the monotonic clock, too: setting the machine's clock forward ends none at once. */
export function createSteadyCooldown(clock: Clock): (record: GateRecord, now: number) => GateRecord {
  /** When the cool-down ends, in ms of the monotonic clock. */
  let endsAt = -Infinity
  let knownResets = 0
  return (stored, now) => {
    const record = rebaseAfterClockRollback(stored, now)
    const { cooldownUntil, resets } = record
    const monotonicNow = clock.monotonic()
    if (resets > knownResets) endsAt = -Infinity
    knownResets = resets
    endsAt = Math.max(endsAt, monotonicNow + Math.min(maxExtension, cooldownUntil - now))
    if (endsAt <= monotonicNow || cooldownUntil > now) return record
    return { ...record, updatedAt: now, cooldownUntil: Math.ceil(now + endsAt - monotonicNow) }
  }
}

function applyChanges(tasks: readonly Task[], record: GateRecord, now: number): GateRecord {
  return tasks.reduce((changed, { change }) => change?.(changed, now) ?? changed, record)
}
