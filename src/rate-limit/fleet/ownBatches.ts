import type { GateRecord } from '../GateRecord.ts'

/** The requests in flight that this process has added to the record. */
export interface OwnBatches {
  /** Remembers the batches that a change has begun. */
  readonly note: (before: GateRecord, after: GateRecord) => void
  /**
   * Leaves out of two records what the other one knows better: of its own requests in flight a process knows more than the
   * store, of the others less, unless the store has lost them.
   */
  readonly divide: (stored: GateRecord, inMemory: GateRecord, hasLost: boolean) => [GateRecord, GateRecord]
}

/** Older batches are over. */
const maxBatches = 64

export function createOwnBatches(): OwnBatches {
  const own = new Set<string>()
  const filter = (record: GateRecord, isKept: (id: string) => boolean): GateRecord => ({
    ...record,
    inFlight: Object.fromEntries(Object.entries(record.inFlight).filter(([id]) => isKept(id))),
  })
  return {
    note: (before, after) => {
      if (before.inFlight === after.inFlight) return
      for (const id of Object.keys(after.inFlight)) if (!(id in before.inFlight)) own.add(id)
      for (const id of own) if (own.size > maxBatches) own.delete(id)
    },
    divide: (stored, inMemory, hasLost) => [
      filter(stored, (id) => !own.has(id)),
      hasLost ? inMemory : filter(inMemory, (id) => own.has(id)),
    ],
  }
}
