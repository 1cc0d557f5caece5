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
  /** Whether `latest` holds changes that the store does not. */
  let isAhead = false
  let isBroken = false

  function read(stored: unknown): GateRecord {
    const record = stored === latest ? latest : readRecord(stored)
    return isAhead ? mergeRecords(record, latest) : record
  }

  function giveUp(): void {
    if (!isBroken)
      warn('The rate-limit store failed; from now on this page keeps the rate limit in memory, for itself.')
    isBroken = true
  }

  async function update(change: (record: GateRecord) => GateRecord): Promise<void> {
    const inMemory = () => {
      latest = change(latest)
      isAhead = true
    }
    if (isBroken) return inMemory()

    let isChanged = false
    let isLate = false
    const stored = store
      .update(name, (value) => {
        const record = read(value)
        // Too late: this change has been made in memory, and `read` has joined the two.
        const changed = isLate && !isChanged ? record : change(record)
        const isSame = changed === record && !isAhead
        latest = changed
        isChanged = true
        isAhead = false
        return isSame ? value : changed
      })
      .then(
        () => 'done' as const,
        () => 'failed' as const,
      )
    const outcome = await Promise.race([stored, elapsed(clock, patience, stored)])
    if (outcome === 'failed') giveUp()
    if (outcome === 'late') {
      isLate = true
      void stored.then((ending) => ending === 'failed' && giveUp())
    }
    if (!isChanged) inMemory()
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
          latest = read(stored)
          onChange()
        })
      } catch {
        giveUp()
        return () => {}
      }
    },
  }
}

/** Settles with `late` after a time, unless `work` settles earlier, which also takes the timer away. */
function elapsed(clock: Clock, ms: number, work: Promise<unknown>): Promise<'late'> {
  return new Promise((resolve) => {
    const cancel = clock.wakeAfter(ms, () => resolve('late'))
    void work.then(cancel)
  })
}
