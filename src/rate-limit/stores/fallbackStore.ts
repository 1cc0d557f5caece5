import { type Clock, createWakeTimer } from '../../base/Clock.ts'
import type { FleetRecords, RateLimitStore } from '../RateLimitStore.ts'
import type { GateRecord } from '../GateRecord.ts'
import { withTimeout } from '../../base/abort.ts'
import { createRecordCopy } from '../records.ts'

/** How long an update may take, in ms: another tab may block the store in the middle of its own update. */
const updateTimeout = 2_000

/** The longest pause before a store that has failed is tried again, in ms. */
const defaultMaxPause = 60_000

/** A store of one record that always responds in time. */
interface FallbackStore {
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
  fleet?: FleetRecords,
): FallbackStore {
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
  /** Whether the update that ended last has taken too long. */
  let wasStalled = false
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
          const isSlowAgain = isStalled && wasStalled
          wasStalled = isStalled
          // What a fleet has to merge after a late response would be late again, and again.
          if (isSlowAgain && fleet) onFailure(use)
          // While others are still late, a further update would only be one more of them.
          else if (!isStalled || stalledUpdates === 0) onSuccess(use)
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

/** In ms; doubled with each failure in a row. */
const firstPause = 1_000

/** Knows when a store that has failed may be used again. */
interface StoreOutage {
  /** Whether the store failed when it was last used. */
  readonly isActive: boolean
  /** Whether it failed so recently that it is not used yet. */
  readonly isPaused: boolean
  /** Ends the pause, if there is one, but only once in an outage. Returns whether it did. */
  readonly endPauseOnce: () => boolean
  /** When the pause ends (epoch ms). */
  readonly retryAt: number
  /** Call it before the store is used, and then one of the returned functions. */
  readonly beginUse: () => StoreUse
}

interface StoreUse {
  readonly succeed: () => void
  readonly fail: () => void
}

/** The state of a store. */
export type StoreStatus = 'failed' | 'recovered'

/**
 * @param maxPause - in ms
 * @param onStatus - called when the store fails, and when it works again
 */
function createStoreOutage(clock: Clock, maxPause: number, onStatus?: (status: StoreStatus) => void): StoreOutage {
  let pause: { readonly from: number; readonly until: number } | undefined
  /** The length of the last pause; 0 after a success in time. */
  let length = 0
  /** Whether the pause was ended early since the last success. */
  let hasEndedEarly = false

  return {
    endPauseOnce: () => {
      const canEnd = pause !== undefined && !hasEndedEarly
      if (canEnd) {
        hasEndedEarly = true
        pause = { from: 0, until: 0 }
      }
      return canEnd
    },
    get isActive() {
      return pause !== undefined
    },
    get isPaused() {
      const now = clock.now()
      // If the clock was set back, to before the pause, its end may be far away.
      return pause !== undefined && now >= pause.from && now < pause.until
    },
    get retryAt() {
      return pause?.until ?? clock.now()
    },
    beginUse: () => {
      const before = pause
      return {
        succeed: () => {
          length = 0
          if (!pause) return
          hasEndedEarly = false
          pause = undefined
          onStatus?.('recovered')
        },
        fail: () => {
          if (pause !== before) return // uses that fail together are one failure
          const from = clock.now()
          length = length > 0 ? Math.min(length * 2, maxPause) : firstPause
          pause = { from, until: from + length }
          if (!before) onStatus?.('failed')
        },
      }
    },
  }
}
