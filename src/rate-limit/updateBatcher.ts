import type { Clock } from './Clock.ts'
import type { GateRecord } from './GateRecord.ts'
import type { FallbackStore } from './stores/fallbackStore.ts'

/** A change that is made when the store is updated next. */
export type RecordUpdate = (record: GateRecord, now: number) => GateRecord

/** Gathers changes into one store update at a time, so that a burst of requests costs one update. */
export interface UpdateBatcher {
  /**
   * Requests an update, with `change` if there is one. Resolves when every change is stored and no update is due.
   */
  readonly flush: (change?: RecordUpdate) => Promise<void>
  /** Returns the record with the changes that no update has made yet. */
  readonly withPending: RecordUpdate
  readonly isFlushing: boolean
}

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

  async function flushLoop(): Promise<void> {
    try {
      while (isDirty) {
        isDirty = false
        await flushOnce()
      }
    } finally {
      flushing = undefined
    }
    onIdle()
  }

  async function flushOnce(): Promise<void> {
    const gathered = changes
    changes = []
    let decision: Decision | undefined
    let decidedAt = 0
    await update((stored) => {
      decidedAt = clock.now()
      decision = decide(applyAll(gathered, stored, decidedAt), decidedAt)
      return decision.record
    })
    if (decision) onDecision(decision, decidedAt)
  }

  return {
    flush: (change) => {
      if (change) changes.push(change)
      isDirty = true
      // Starts after `flushing` is set: a store may report a change, and so call `flush`, before its update returns.
      flushing ??= Promise.resolve().then(flushLoop)
      return flushing
    },
    withPending: (record, now) => applyAll(changes, record, now),
    get isFlushing() {
      return flushing !== undefined
    },
  }
}

function applyAll(changes: readonly RecordUpdate[], stored: GateRecord, now: number): GateRecord {
  return changes.reduce((record, change) => change(record, now), stored)
}
