import type { Clock } from '../../base/Clock.ts'
import { clockTolerance, type GateRecord, mapTimes } from '../GateRecord.ts'

/** The clock of a store is unknown before its first response: what was recorded until then moves with it. */
export function createClockRepair(clock: Clock): (record: GateRecord) => GateRecord {
  const difference = () => clock.now() - clock.monotonic()
  let ahead = difference()
  return (record) => {
    const moved = difference() - ahead
    if (Math.abs(moved) <= clockTolerance) return record
    ahead += moved
    return mapTimes(record, (time) => (time === 0 ? 0 : Math.max(0, time + moved)))
  }
}
