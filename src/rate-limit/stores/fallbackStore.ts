import { type Clock, createWakeTimer } from '../../base/Clock.ts'
import { type Fleet, fleetOf, type RateLimitStore } from '../RateLimitStore.ts'
import { clockTolerance, type GateRecord, rebaseAfterClockRollback } from '../GateRecord.ts'
import { withTimeout } from '../../base/abort.ts'
import { createStoreOutage, type StoreStatus, type StoreUse } from './storeOutage.ts'
import { mergeRecords, readRecord } from '../records.ts'

/** How long an update may take, in ms: another tab may block the store in the middle of its own update. */
const updateTimeout = 2_000

/** The longest pause before a store that has failed is tried again, in ms. */
const defaultMaxPause = 60_000

/** A store of one record that always responds in time. */
export interface FallbackStore {
  /** The newest record that is known without asking the store. */
  readonly latest: GateRecord
  /** Whether changes are made in memory alone. */
  readonly isCutOff: boolean
  /** Resolves when the change is made: in the store, or else in memory. Never rejects. */
  readonly update: (change: (record: GateRecord) => GateRecord) => Promise<void>
  /** Listens to changes by others, until the returned function is called. `onChange` is called after each of them. */
  readonly open: (onChange: () => void) => () => void
}

/**
 * Limits what a slow or failing store can do. A change that is not stored in time is made in memory, and merged into the
 * store by the next update that succeeds. After a failure the store is left alone for a growing pause, and changes are
 * made in memory meanwhile.
 *
 * @param onStatus - called when the store fails, and when it works again
 */
export function createFallbackStore(
  store: RateLimitStore,
  name: string,
  clock: Clock,
  onStatus?: (status: StoreStatus) => void,
): FallbackStore {
  const fleet = fleetOf(store)
  const copy = createRecordCopy(clock, fleet)
  /** Defined while the store is open. */
  let onChange: (() => void) | undefined
  const subscription = createStoreSubscription(store, name, (stored) => {
    if (copy.receive(stored)) onChange?.()
    // What comes from the store of a fleet shows that it works.
    if (fleet && outage.endPauseOnce()) void retry()
  })
  const outage = createStoreOutage(clock, fleet?.maxPause ?? defaultMaxPause, onStatus)
  const retryTimer = createWakeTimer(clock, retry)
  /** How many updates have taken too long, and not ended since. */
  let stalledUpdates = 0
  let stopListeningLater = () => {}

  function onFailure(use: StoreUse): void {
    use.fail()
    if (onChange) retryTimer.set(outage.retryAt)
  }

  function onSuccess(use: StoreUse): void {
    use.succeed()
    retryTimer.cancel()
    if (!onChange) subscription.close()
    else if (copy.isUnsynced) void retry()
  }

  /** Stores what this page knows as soon as the store works, not only with the next request. */
  async function retry(): Promise<void> {
    if (outage.isPaused) return retryTimer.set(outage.retryAt)
    await update(keep)
    onChange?.()
  }

  function closeUnlessOpen(): void {
    if (!onChange) subscription.close()
  }

  async function update(change: (record: GateRecord) => GateRecord): Promise<void> {
    if (outage.isPaused) return copy.changeInMemory(change)
    const made = copy.beginUpdate(change)
    const use = outage.beginUse()
    // In an async function, because an app's own store may throw synchronously.
    const updateStore = async () => {
      if (onChange) subscription.open()
      await store.update(name, made.changeStored)
    }
    let isStalled = false
    const stored = updateStore()
      .finally(() => (stalledUpdates -= isStalled ? 1 : 0))
      .then(
        () => {
          // While others are still late, a further update would only be one more of them.
          if (!isStalled || stalledUpdates === 0) onSuccess(use)
        },
        () => {
          copy.markUnsynced() // the change may not be in the store
          onFailure(use)
        },
      )
    // An update that another one holds up takes as long as that one: whatever blocks the store may never end. The store of
    // a fleet limits its own time.
    const isBlocked = !fleet && stalledUpdates > 0
    const isInTime = await withTimeout(
      stored.then(() => true),
      isBlocked ? 0 : updateTimeout,
      clock,
      () => false,
    )
    if (!isInTime) {
      if (isBlocked) onFailure(use)
      isStalled = true
      stalledUpdates += 1
    }
    // The store of a fleet may repeat an update long after its decision was carried out.
    if (!made.isMade || (fleet && !isInTime)) made.changeInMemory()
  }

  return {
    get latest() {
      return copy.latest
    },
    get isCutOff() {
      return outage.isActive
    },
    update,
    open: (listener) => {
      onChange = listener
      stopListeningLater()
      if (outage.isActive) retryTimer.set(outage.retryAt)
      const use = outage.beginUse()
      try {
        subscription.open()
      } catch {
        onFailure(use)
      }
      return () => {
        onChange = undefined
        retryTimer.cancel()
        // In a pause after a failure the page keeps listening: it cannot read meanwhile what it would miss.
        if (!outage.isPaused) subscription.close()
        else stopListeningLater = clock.wakeAfter(outage.retryAt - clock.now(), closeUnlessOpen, true)
      }
    },
  }
}

function keep(record: GateRecord): GateRecord {
  return record
}

/** Listens to one record of a store. */
interface StoreSubscription {
  /** Does nothing if it is open. Throws what the store's `subscribe` throws. */
  readonly open: () => void
  /** Stays open if the store has given no function to end it, so that `open` does not subscribe twice. */
  readonly close: () => void
}

function createStoreSubscription(
  store: RateLimitStore,
  name: string,
  onRecord: (stored: unknown) => void,
): StoreSubscription {
  let isOpen = false
  /** An app's store may return anything. */
  let unsubscribe: unknown

  return {
    open: () => {
      if (isOpen) return
      unsubscribe = store.subscribe(name, onRecord)
      isOpen = true
    },
    close: () => {
      if (typeof unsubscribe !== 'function') return
      isOpen = false
      unsubscribe()
      unsubscribe = undefined
    },
  }
}

/** What this page knows of a stored record, and changes while the store does not work. */
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

function createRecordCopy(clock: Clock, fleet: Fleet | undefined): RecordCopy {
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
        const record = read(value, merged, hasLost)
        // After the timeout, the change is in memory and `read` has merged it.
        const changed = madeIn === 'memory' ? record : make(change, record)
        madeIn ??= 'store'
        latest = changed
        unsynced = undefined
        return changed === record && !merged ? value : changed
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
      // Changes may arrive late, so the older one is ignored, unless the clock was set back since the newer one.
      if (received.updatedAt < latest.updatedAt && latest.updatedAt <= clock.now() + clockTolerance) return false
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

function mergeAt(now: number, stored: GateRecord, inMemory: GateRecord): GateRecord {
  const merged = mergeRecords(rebaseAfterClockRollback(stored, now), rebaseAfterClockRollback(inMemory, now))
  return { ...merged, updatedAt: merged.updatedAt + 1 } // newer than both, so that neither replaces it
}
