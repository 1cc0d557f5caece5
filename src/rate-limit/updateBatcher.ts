import type { Clock } from '../base/Clock.ts'
import { clockTolerance, emptyRecord, type GateRecord } from './GateRecord.ts'
import type { FallbackStore } from './stores/fallbackStore.ts'

/** A change that is made when the store is updated next. */
export type RecordUpdate = (record: GateRecord, now: number) => GateRecord

/** Gathers changes into one store update at a time, so that a burst of requests costs one update. */
export interface UpdateBatcher {
  /**
   * Requests an update, with `change` if there is one. Resolves when every change is stored and no update is due.
   */
  readonly flush: (change?: RecordUpdate) => Promise<void>
  /** Makes a change with the next update. Returns whether that has `ms` time; else the caller requests it at once. */
  readonly gather: (change: RecordUpdate, ms: number) => boolean
  /** When that is (epoch ms); infinite if no change is gathered. */
  readonly dueAt: number
  /** Returns the record with the changes that no update has made yet. */
  readonly withPending: RecordUpdate
  readonly isFlushing: boolean
}

/** More changes do not wait: each of them costs time until it is stored. */
const maxGathered = 64

export interface UpdateBatcherOptions<Decision extends { readonly record: GateRecord }> {
  readonly update: FallbackStore['update']
  readonly clock: Clock
  /** Called within each update, after the gathered changes. Its `record` is stored. May be called again by the store. */
  readonly decide: (record: GateRecord, now: number) => Decision
  /** Called after each update, with the last decision and its time (epoch ms). */
  readonly onDecision: (decision: Decision, decidedAt: number) => void
  /** Called when no change is left to store. */
  readonly onIdle: () => void
}

export function createUpdateBatcher<Decision extends { readonly record: GateRecord }>(
  options: UpdateBatcherOptions<Decision>,
): UpdateBatcher {
  const { update, clock, decide, onDecision, onIdle } = options
  let changes: RecordUpdate[] = []
  let flushing: Promise<void> | undefined
  let isDirty = false
  /** The last result of `withPending`, to which later changes are added. */
  let pending = { base: emptyRecord, changes, made: 0, record: emptyRecord }
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
    await update((stored) => {
      // Not earlier: until now the newest known record has none of them.
      gathered ??= takeChanges()
      decidedAt = timeAfter(stored, clock.now())
      decision = decide(applyAll(gathered, stored, decidedAt), decidedAt)
      return decision.record
    })
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
    flush: (change) => {
      if (change) changes.push(change)
      isDirty = true
      // Starts after `flushing` is set: a store may report a change, and so call `flush`, before its update returns.
      flushing ??= Promise.resolve().then(flushLoop)
      return flushing
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
    withPending: (record, now) => {
      if (pending.base !== record || pending.changes !== changes) pending = { base: record, changes, made: 0, record }
      const more = changes.slice(pending.made)
      pending = { ...pending, made: changes.length, record: applyAll(more, pending.record, now) }
      return pending.record
    },
    get isFlushing() {
      return flushing !== undefined
    },
  }
}

/** Clocks differ a little. A record that seems to be older than the one it replaces would be ignored. */
function timeAfter({ updatedAt }: GateRecord, now: number): number {
  return updatedAt - now <= clockTolerance ? Math.max(updatedAt, now) : now
}

function applyAll(changes: readonly RecordUpdate[], stored: GateRecord, now: number): GateRecord {
  return changes.reduce((record, change) => change(record, now), stored)
}
