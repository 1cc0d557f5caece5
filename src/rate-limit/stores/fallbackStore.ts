import { isDevelopment } from '../../contract/configError.ts'
import type { Clock } from '../Clock.ts'
import type { GateRecord } from '../GateRecord.ts'
import { mergeRecords } from '../mergeRecords.ts'
import type { RateLimitStore } from '../RateLimitStore.ts'
import { readRecord } from '../readRecord.ts'
import { clockTolerance, rebaseAfterClockRollback } from '../rebaseAfterClockRollback.ts'

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
 * store by the next update that succeeds. After a failure everything stays in memory, with a warning.
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
  let hasFailed = false

  function read(stored: unknown, inMemory: GateRecord | undefined): GateRecord {
    const record = stored === latest ? latest : readRecord(stored)
    if (!inMemory) return record
    const now = clock.now()
    const merged = mergeRecords(rebaseAfterClockRollback(record, now), rebaseAfterClockRollback(inMemory, now))
    return { ...merged, updatedAt: merged.updatedAt + 1 } // newer than both, so that neither replaces it
  }

  function giveUp(): void {
    if (isDevelopment && !hasFailed)
      warn(
        'The rate-limit store failed. From now on this page keeps the rate limit in memory and shares it with no tab.',
      )
    hasFailed = true
  }

  async function update(change: (record: GateRecord) => GateRecord): Promise<void> {
    const changeInMemory = () => {
      latest = change(latest)
      unsynced = latest
    }
    if (hasFailed) return changeInMemory()

    let madeIn: 'store' | 'memory' | undefined
    let merged: GateRecord | undefined
    const changeStored = (value: unknown) => {
      merged = unsynced ?? merged // the store may repeat the update: then it is merged again
      const record = read(value, merged)
      // After the timeout, the change is in memory and `read` has merged it.
      const changed = madeIn === 'memory' ? record : change(record)
      madeIn ??= 'store'
      latest = changed
      unsynced = undefined
      return changed === record && !merged ? value : changed
    }
    // In an async function, because an app's own store may throw synchronously.
    const stored = (async () => store.update(name, changeStored))().catch(giveUp)
    await new Promise<void>((resolve) => {
      const cancel = clock.wakeAfter(updateTimeout, resolve)
      void stored.then(cancel).then(resolve)
    })
    if (madeIn) return
    madeIn = 'memory'
    changeInMemory()
  }

  return {
    get latest() {
      return latest
    },
    update,
    open: (onChange) => {
      try {
        return store.subscribe(name, (stored) => {
          if (hasFailed || stored === latest) return
          const received = read(stored, unsynced)
          // Changes may arrive late, so the older one is ignored, unless the clock was set back since the newer one.
          if (received.updatedAt < latest.updatedAt && latest.updatedAt <= clock.now() + clockTolerance) return
          latest = received
          onChange()
        })
      } catch {
        giveUp()
        return () => {}
      }
    },
  }
}
