import type { GateRecord } from './GateRecord.ts'

/** Adds a request to a batch, new or not. It holds one unit of the quota from now on. */
export function addInFlight(record: GateRecord, batch: string, until: number): GateRecord {
  const known = record.inFlight[batch]
  const joined = known ? { count: known.count + 1, until: Math.max(known.until, until) } : { count: 1, until }
  return { ...record, inFlight: { ...record.inFlight, [batch]: joined } }
}

/** Removes requests of a batch and frees their units. */
export function removeInFlight(record: GateRecord, batch: string, count = 1): GateRecord {
  const known = record.inFlight[batch]
  if (!known) return record
  const inFlight = { ...record.inFlight, [batch]: { ...known, count: known.count - count } }
  if (known.count <= count) delete inFlight[batch]
  return { ...record, inFlight }
}

export function countInFlight({ inFlight }: GateRecord): number {
  return Object.values(inFlight).reduce((sum, { count }) => sum + count, 0)
}

/** When the first batch in flight counts as lost (epoch ms); infinite if none is. */
export function nextLossAt({ inFlight }: GateRecord): number {
  return Object.values(inFlight).reduce((lossAt, { until }) => Math.min(lossAt, until), Infinity)
}
