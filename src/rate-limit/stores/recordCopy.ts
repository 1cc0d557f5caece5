import type { Clock } from '../../base/Clock.ts'
import type { Fleet } from '../fleet/FleetStore.ts'
import { clockTolerance, type GateRecord, rebaseAfterClockRollback } from '../GateRecord.ts'
import { mergeRecords, readRecord } from '../records.ts'

/** What this page knows of a stored record, and changes while the store does not work. */
export interface RecordCopy {
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
export interface CopyUpdate {
  /** Makes the change on the stored value. The store may repeat it. */
  readonly changeStored: (value: unknown) => unknown
  /** Makes the change in memory, unless it is made. From then on, `changeStored` merges instead of making it again. */
  readonly changeInMemory: () => void
  readonly isMade: boolean
}

export function createRecordCopy(clock: Clock, fleet: Fleet | undefined): RecordCopy {
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
