import type { GateRecord, InFlightRequest } from './GateRecord.ts'

/** Adds a request, which holds one unit of the quota from now on. */
export function addInFlight(record: GateRecord, id: string, request: InFlightRequest): GateRecord {
  return { ...record, inFlight: { ...record.inFlight, [id]: request } }
}

/** Removes a request and frees its unit. */
export function removeInFlight(record: GateRecord, id: string): GateRecord {
  const { [id]: _, ...inFlight } = record.inFlight
  return { ...record, inFlight }
}

export function countInFlight(record: GateRecord): number {
  return Object.keys(record.inFlight).length
}

/** When the first request in flight counts as lost (epoch ms); infinite if none is. */
export function nextLossAt(record: GateRecord): number {
  return Math.min(...Object.values(record.inFlight).map(({ until }) => until))
}

export function mapInFlight(
  inFlight: GateRecord['inFlight'],
  change: (request: InFlightRequest) => InFlightRequest,
): GateRecord['inFlight'] {
  return Object.fromEntries(Object.entries(inFlight).map(([id, request]) => [id, change(request)]))
}
