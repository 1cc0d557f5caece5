import type { Clock } from '../../base/Clock.ts'
import { clockTolerance, emptyRecord, type GateRecord } from '../GateRecord.ts'
import type { FleetRecords, RateLimitStore } from '../RateLimitStore.ts'
import { createFallbackStore, type StoreStatus } from './fallbackStore.ts'

/** A change of the record that is stored with the next update. */
export type RecordUpdate = (record: GateRecord, now: number) => GateRecord

/**
 * A page's copy of a stored record: the record as it was stored last, and the changes since, in order. It gathers them
 * into one update of the store at a time, so that a burst of requests costs one update.
 */
export interface RecordReplica {
  /** The record with all changes of this page, also with those that the store does not have yet. */
  readonly latest: GateRecord
  /** The record without the changes that no update has made yet. */
  readonly stored: GateRecord
  /** Requests an update, with `change` if there is one. Resolves when all changes until now are stored: others may come. */
  readonly flush: (change?: RecordUpdate) => Promise<void>
  /** Makes a change with the next update. Returns whether that has `ms` time; else the caller requests it at once. */
  readonly gather: (change: RecordUpdate, ms: number) => boolean
  /** When that is (epoch ms); infinite if no change is gathered. */
  readonly dueAt: number
  readonly isFlushing: boolean
  /** Whether changes are made in memory alone, since the store fails. */
  readonly isCutOff: boolean
  /** Listens to changes by others, until the returned function is called. `onChange` is called after each of them. */
  readonly open: (onChange: () => void) => () => void
}

/** More changes do not wait: each of them costs time until it is stored. */
const maxGathered = 64

export interface RecordReplicaOptions<Decision extends { readonly record: GateRecord }> {
  readonly store: RateLimitStore
  /** The name of the record. */
  readonly name: string
  readonly clock: Clock
  /** Called within each update, after the gathered changes. Its `record` is stored. May be called again by the store. */
  readonly decide: (record: GateRecord, now: number) => Decision
  /** Called after each update, with the last decision and its time (epoch ms). */
  readonly onDecision: (decision: Decision, decidedAt: number) => void
  /** Called when no change is left to store. */
  readonly onIdle: () => void
  readonly fleet?: FleetRecords | undefined
  /** Called when the store fails, and when it works again. */
  readonly onStoreStatus?: ((status: StoreStatus) => void) | undefined
}

export function createRecordReplica<Decision extends { readonly record: GateRecord }>(
  options: RecordReplicaOptions<Decision>,
): RecordReplica {
  const { name, clock, decide, onDecision, onIdle } = options
  const store = createFallbackStore(options.store, name, clock, options.onStoreStatus, options.fleet)
  let changes: RecordUpdate[] = []
  /** What to call when the changes are stored. */
  let onStored: (() => void)[] = []
  let flushing: Promise<void> | undefined
  let isDirty = false
  /** The last value of `latest`, to which later changes are added. */
  let known = { base: emptyRecord, changes, made: 0, record: emptyRecord }
  let dueAt = Infinity

  async function flushLoop(): Promise<void> {
    try {
      for (;;) {
        await flushOnce()
        if (!isDirty) break
      }
    } finally {
      flushing = undefined
    }
    onIdle()
  }

  async function flushOnce(): Promise<void> {
    let gathered: RecordUpdate[] | undefined
    let decision: Decision | undefined
    let decidedAt = 0
    let callbacks: (() => void)[] = []
    await store.update((stored) => {
      // Not earlier: until now the newest known record has none of them.
      if (!gathered) {
        gathered = takeChanges()
        callbacks = onStored
        onStored = []
      }
      decidedAt = timeAfter(stored, clock.now())
      decision = decide(applyAll(gathered, stored, decidedAt), decidedAt)
      return decision.record
    })
    for (const callback of callbacks) callback()
    if (decision) onDecision(decision, decidedAt)
  }

  function takeChanges(): RecordUpdate[] {
    const taken = changes
    changes = []
    isDirty = false
    dueAt = Infinity
    return taken
  }

  return {
    get latest() {
      const base = store.latest
      if (known.base !== base || known.changes !== changes) known = { base, changes, made: 0, record: base }
      const more = changes.slice(known.made)
      known = { ...known, made: changes.length, record: applyAll(more, known.record, clock.now()) }
      return known.record
    },
    get stored() {
      return store.latest
    },
    flush: (change) => {
      if (change) changes.push(change)
      isDirty = true
      // Starts after `flushing` is set: a store may report a change, and so call `flush`, before its update returns.
      flushing ??= Promise.resolve().then(flushLoop)
      return new Promise((resolve) => onStored.push(resolve))
    },
    gather: (change, ms) => {
      changes.push(change)
      if (ms === 0 || changes.length >= maxGathered) return false
      dueAt = Math.min(dueAt, clock.now() + ms)
      return true
    },
    get dueAt() {
      return dueAt
    },
    get isFlushing() {
      return flushing !== undefined
    },
    get isCutOff() {
      return store.isCutOff
    },
    open: store.open,
  }
}

/** Clocks differ a little. A record that seems to be older than the one it replaces would be ignored. */
function timeAfter({ updatedAt }: GateRecord, now: number): number {
  return updatedAt - now <= clockTolerance ? Math.max(updatedAt, now) : now
}

function applyAll(changes: readonly RecordUpdate[], stored: GateRecord, now: number): GateRecord {
  return changes.reduce((record, change) => change(record, now), stored)
}
