import type { GateRecord, InFlightRequest } from './GateRecord.ts'

/** Adds a request, which holds one unit of the quota from now on. */
export function addInFlight(record: GateRecord, id: string, request: InFlightRequest): GateRecord {
  return { ...record, inFlight: { ...record.inFlight, [id]: request } }
}

/** Removes a request and frees its unit. */
export function removeInFlight(record: GateRecord, id: string): GateRecord {
  if (!record.inFlight[id]) return record
  const inFlight = { ...record.inFlight }
  delete inFlight[id]
  return { ...record, inFlight }
}

export function countInFlight(record: GateRecord): number {
  return Object.keys(record.inFlight).length
}

/** When the first request in flight counts as lost (epoch ms); infinite if none is. */
export function nextLossAt(record: GateRecord): number {
  let lossAt = Number.POSITIVE_INFINITY
  // Not `Math.min` of a spread list: thousands of requests may be in flight, and each admission comes by.
  for (const id in record.inFlight) lossAt = Math.min(lossAt, record.inFlight[id]?.until ?? lossAt)
  return lossAt
}

export function mapInFlight(
  inFlight: GateRecord['inFlight'],
  change: (request: InFlightRequest) => InFlightRequest,
): GateRecord['inFlight'] {
  return Object.fromEntries(Object.entries(inFlight).map(([id, request]) => [id, change(request)]))
}
