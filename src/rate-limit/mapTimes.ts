import type { GateRecord } from './GateRecord.ts'

/** The fields that hold a time of this machine's clock; `reset` and `skew` are about the service's. */
const timeName = /(At|Until)$|^(at|from|since|until)$/

/** Changes all times of this machine's clock in a record. */
export function mapTimes(record: GateRecord, change: (time: number) => number): GateRecord {
  function map(value: unknown, name: string): unknown {
    if (typeof value === 'number') return timeName.test(name) ? change(value) : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => map(item, ''))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item, key)]))
  }
  // Each value keeps its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return map(record, '') as GateRecord
}
