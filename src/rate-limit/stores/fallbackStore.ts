import { isDevelopment } from '../../contract/configError.ts'
import { rebaseAfterClockRollback, clockTolerance } from '../expire.ts'
import type { Clock } from '../Clock.ts'
import { type GateRecord, mergeRecords, readRecord } from '../GateRecord.ts'
import type { RateLimitStore } from '../RateLimitStore.ts'

/** How long an update may take, in ms. A neighbouring tab that is busy in the middle of its own holds it up. */
const updateTimeout = 2_000

/** A store of one record that always responses in time. */
export interface FallbackStore {
  /** What was last known of the record. */
  readonly latest: GateRecord
  /** Resolves when the change has been made, in the store or, failing that, in memory. Never rejects. */
  readonly update: (change: (record: GateRecord) => GateRecord) => Promise<void>
  /** `onChange` is called when others have changed the record. */
  readonly open: (onChange: () => void) => () => void
}

/**
 * Puts `store` behind bounds: what does not respond in time is done in memory, and taken to the store with the next
 * update that succeeds; one that fails is given up for good, with a warning.
 */
export function createFallbackStore(
  store: RateLimitStore,
  name: string,
  clock: Clock,
  warn: (message: string) => void,
): FallbackStore {
  let latest = readRecord(undefined)
  /** The record in memory, while it holds changes that the store does not. */
  let unsynced: GateRecord | undefined
  let hasFailed = false

  function read(stored: unknown, inMemory: GateRecord | undefined): GateRecord {
    const record = stored === latest ? latest : readRecord(stored)
    if (!inMemory) return record
    const now = clock.now()
    const merged = mergeRecords(rebaseAfterClockRollback(record, now), rebaseAfterClockRollback(inMemory, now))
    return { ...merged, updatedAt: merged.updatedAt + 1 } // newer than both: news of either change nothing
  }

  function giveUp(): void {
    if (isDevelopment && !hasFailed)
      warn('The rate-limit store failed; from now on this page keeps the rate limit in memory, for itself.')
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
      merged = unsynced ?? merged // once more, should the step be repeated
      const record = read(value, merged)
      // Too late: this change has been made in memory, and `read` has joined the two.
      const changed = madeIn === 'memory' ? record : change(record)
      madeIn ??= 'store'
      latest = changed
      unsynced = undefined
      return changed === record && !merged ? value : changed
    }
    // Asynchronous all of it: an app's own store may throw at once.
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
          const heard = read(stored, unsynced)
          // News travel slowly: what is known here may be newer, unless that is of a time that was set back since.
          if (heard.updatedAt < latest.updatedAt && latest.updatedAt <= clock.now() + clockTolerance) return
          latest = heard
          onChange()
        })
      } catch {
        giveUp()
        return () => {}
      }
    },
  }
}
