import type { GateRecord } from '../GateRecord.ts'

/** The requests in flight that this page has added to the record. */
export interface OwnBatches {
  /** Remembers the batches that a change has begun. */
  readonly note: (before: GateRecord, after: GateRecord) => void
  /** Leaves out the batches of other pages. */
  readonly keep: (record: GateRecord) => GateRecord
  /** Leaves out those of this page. */
  readonly drop: (record: GateRecord) => GateRecord
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
    keep: (record) => filter(record, (id) => own.has(id)),
    drop: (record) => filter(record, (id) => !own.has(id)),
  }
}
