import { isDevelopment } from '../../contract/configError.ts'
import type { Clock } from '../Clock.ts'
import type { GateRecord } from '../GateRecord.ts'
import { mergeRecords } from '../mergeRecords.ts'
import type { RateLimitStore } from '../RateLimitStore.ts'
import { readRecord } from '../readRecord.ts'
import { clockTolerance, rebaseAfterClockRollback } from '../rebaseAfterClockRollback.ts'
import { createWakeTimer } from '../wakeTimer.ts'
import { createStoreOutage, type StoreUse } from './storeOutage.ts'
import { createStoreSubscription } from './storeSubscription.ts'

/** How long an update may take, in ms: another tab may block the store in the middle of its own update. */
const updateTimeout = 2_000

/** A store of one record that always responds in time. */
export interface FallbackStore {
  /** The newest record that is known without asking the store. */
  readonly latest: GateRecord
  /** Resolves when the change is made: in the store, or else in memory. Never rejects. */
  readonly update: (change: (record: GateRecord) => GateRecord) => Promise<void>
  /** Listens to changes by others, until the returned function is called. `onChange` is called after each of them. */
  readonly open: (onChange: () => void) => () => void
}

/**
 * Limits what a slow or failing store can do. A change that is not stored in time is made in memory, and merged into the
 * store by the next update that succeeds. After a failure the store is left alone for a growing pause, and changes are
 * made in memory meanwhile.
 */
export function createFallbackStore(
  store: RateLimitStore,
  name: string,
  clock: Clock,
  warn: (message: string) => void,
): FallbackStore {
  let latest = readRecord(undefined)
  /** The record in memory, while it has changes that the store does not have. */
  let unsynced: GateRecord | undefined
  /** Defined while the store is open. */
  let onChange: (() => void) | undefined
  let hasWarned = false
  const subscription = createStoreSubscription(store, name, receive)
  const outage = createStoreOutage(clock)
  const retryTimer = createWakeTimer(clock, retry)

  function onFailure(use: StoreUse): void {
    use.fail()
    if (isDevelopment && !hasWarned) warnOfFailure(warn)
    hasWarned = true
    if (onChange) retryTimer.set(outage.retryAt)
  }

  function onSuccess(use: StoreUse): void {
    use.succeed()
    retryTimer.cancel()
    if (!onChange) subscription.close()
  }

  /** Stores what this page knows as soon as the store works, not only with the next request. */
  async function retry(): Promise<void> {
    if (outage.isPaused) return retryTimer.set(outage.retryAt)
    await update(keep)
    onChange?.()
  }

  function read(stored: unknown, inMemory: GateRecord | undefined): GateRecord {
    const record = stored === latest ? latest : readRecord(stored)
    return inMemory ? mergeAt(clock.now(), record, inMemory) : record
  }

  function receive(stored: unknown): void {
    if (stored === latest) return
    const received = read(stored, unsynced)
    // Changes may arrive late, so the older one is ignored, unless the clock was set back since the newer one.
    if (received.updatedAt < latest.updatedAt && latest.updatedAt <= clock.now() + clockTolerance) return
    latest = received
    onChange?.()
  }

  async function update(change: (record: GateRecord) => GateRecord): Promise<void> {
    const changeInMemory = () => {
      latest = change(latest)
      unsynced = latest
    }
    if (outage.isPaused) return changeInMemory()

    let madeIn: 'store' | 'memory' | undefined
    let merged: GateRecord | undefined
    const known = latest.updatedAt > 0 ? latest : undefined
    const changeStored = (value: unknown) => {
      merged = unsynced ?? merged // the store may repeat the update: then it is merged again
      // An app may delete all databases on log-out. What this page knows stays true.
      if (value === undefined) merged ??= known
      const record = read(value, merged)
      // After the timeout, the change is in memory and `read` has merged it.
      const changed = madeIn === 'memory' ? record : change(record)
      madeIn ??= 'store'
      latest = changed
      unsynced = undefined
      return changed === record && !merged ? value : changed
    }
    const use = outage.beginUse()
    // In an async function, because an app's own store may throw synchronously.
    const updateStore = async () => {
      if (onChange) subscription.open()
      await store.update(name, changeStored)
    }
    const stored = updateStore().then(
      () => onSuccess(use),
      () => {
        unsynced = latest // the change may not be in the store
        onFailure(use)
      },
    )
    await settledWithin(stored, updateTimeout, clock)
    if (madeIn) return
    madeIn = 'memory'
    changeInMemory()
  }

  return {
    get latest() {
      return latest
    },
    update,
    open: (listener) => {
      onChange = listener
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
        // After a failure the page keeps listening: it cannot read meanwhile what it would miss.
        if (!outage.isActive) subscription.close()
      }
    },
  }
}

function keep(record: GateRecord): GateRecord {
  return record
}

function mergeAt(now: number, stored: GateRecord, inMemory: GateRecord): GateRecord {
  const merged = mergeRecords(rebaseAfterClockRollback(stored, now), rebaseAfterClockRollback(inMemory, now))
  return { ...merged, updatedAt: merged.updatedAt + 1 } // newer than both, so that neither replaces it
}

/** Resolves when `work` does, and after `ms` at the latest. */
function settledWithin(work: Promise<void>, ms: number, clock: Clock): Promise<void> {
  return new Promise<void>((resolve) => {
    const cancel = clock.wakeAfter(ms, resolve)
    void work.then(cancel).then(resolve)
  })
}

function warnOfFailure(warn: (message: string) => void): void {
  if (isDevelopment) {
    warn(
      'The rate-limit store failed. This page keeps the rate limit in memory and shares it with no tab until the store ' +
        'works.',
    )
  }
}
