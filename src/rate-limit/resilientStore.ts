import { isDevelopment } from '../contract/usageError.ts'
import { afterSettingBack, clockTolerance } from './bringUpToDate.ts'
import type { Clock } from './Clock.ts'
import { type GateRecord, mergeRecords, readRecord } from './GateRecord.ts'
import type { RateLimitStore } from './RateLimitStore.ts'

/** How long an update may take, in ms. A neighbouring tab that is busy in the middle of its own holds it up. */
const patience = 2_000

/** A store of one record that always answers in time. */
export interface ResilientStore {
  /** What was last known of the record. */
  readonly latest: GateRecord
  /** Resolves when the change has been made, in the store or, failing that, in memory. Never rejects. */
  readonly update: (change: (record: GateRecord) => GateRecord) => Promise<void>
  /** `onChange` is called when others have changed the record. */
  readonly open: (onChange: () => void) => () => void
}

/**
 * Puts `store` behind bounds: what does not answer in time is done in memory, and taken to the store with the next
 * update that succeeds; one that fails is given up for good, with a warning.
 */
export function createResilientStore(
  store: RateLimitStore,
  name: string,
  clock: Clock,
  warn: (message: string) => void,
): ResilientStore {
  let latest = readRecord(undefined)
  /** The record in memory, while it holds changes that the store does not. */
  let ahead: GateRecord | undefined
  let isBroken = false

  function read(stored: unknown, inMemory: GateRecord | undefined): GateRecord {
    const record = stored === latest ? latest : readRecord(stored)
    if (!inMemory) return record
    const now = clock.now()
    const joined = mergeRecords(afterSettingBack(record, now), afterSettingBack(inMemory, now))
    return { ...joined, updatedAt: joined.updatedAt + 1 } // newer than both: news of either change nothing
  }

  function giveUp(): void {
    if (isDevelopment && !isBroken)
      warn('The rate-limit store failed; from now on this page keeps the rate limit in memory, for itself.')
    isBroken = true
  }

  async function update(change: (record: GateRecord) => GateRecord): Promise<void> {
    const changeInMemory = () => {
      latest = change(latest)
      ahead = latest
    }
    if (isBroken) return changeInMemory()

    let madeIn: 'store' | 'memory' | undefined
    let joined: GateRecord | undefined
    const changeStored = (value: unknown) => {
      joined = ahead ?? joined // once more, should the step be repeated
      const record = read(value, joined)
      // Too late: this change has been made in memory, and `read` has joined the two.
      const changed = madeIn === 'memory' ? record : change(record)
      madeIn ??= 'store'
      latest = changed
      ahead = undefined
      return changed === record && !joined ? value : changed
    }
    // Asynchronous all of it: an app's own store may throw at once.
    const stored = (async () => store.update(name, changeStored))().catch(giveUp)
    await new Promise<void>((resolve) => {
      const cancel = clock.wakeAfter(patience, resolve)
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
          if (isBroken || stored === latest) return
          const heard = read(stored, ahead)
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
