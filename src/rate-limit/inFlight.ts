import type { GateRecord } from './GateRecord.ts'

/** A request that holds one unit of the quota. */
export interface UnitInFlight {
  /** The id of the requests that it counts with while it is in flight. */
  readonly batch: string
  /** How long it counts as in flight if its end is never reported, in ms. */
  readonly holdFor: number
  /** The page or worker that sends it, where others can tell whether it still exists. */
  readonly owner?: string | undefined
}

/** Adds a request to a batch, new or not. It holds one unit of the quota from now on. */
export function addInFlight(record: GateRecord, { batch, holdFor, owner }: UnitInFlight, now: number): GateRecord {
  const { count = 0, since = now, until = 0 } = record.inFlight[batch] ?? {}
  const joined = { count: count + 1, since, until: Math.max(until, now + holdFor), ...(owner && { owner }) }
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

/** When the first of the requests in flight left (epoch ms); infinite if none is in flight. */
export function inFlightSince({ inFlight }: GateRecord): number {
  return Object.values(inFlight).reduce((first, { since }) => Math.min(first, since), Infinity)
}
