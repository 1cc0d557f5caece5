import { type GateRecord, type Lease, mostStrikes, unknownSkew } from './GateRecord.ts'
import { day, type Pace } from './plan.ts'
import { liveWindows, spendOne } from './windows.ts'

/** The clocks of two tabs differ by less; a clock that was set back, by more. In ms. */
export const clockTolerance = 1_000

/** Waits are at most a day, and the slack that is added to them. In ms. */
const longestWait = day + 1_000

/** What time alone has done to a record. The same object where that is nothing. */
export function bringUpToDate(stored: GateRecord, now: number, pace: Pace): GateRecord {
  const record = withinADay(afterSettingBack(stored, now), now)
  const isLost = ({ until }: { until: number }) => until <= now
  const leases = Object.entries(record.leases)
  const lost = leases.filter(([, lease]) => isLost(lease))
  if (lost.length === 0) return record
  const kept = Object.fromEntries(leases.filter(([, lease]) => !isLost(lease)))
  // Spent then, not now: who looks again later must come to the same end.
  return lost.reduce<GateRecord>((spent, [, { until }]) => spendUnit(spent, until, pace), { ...record, leases: kept })
}

/** Takes one unit from what is left: of a request that may have counted, and whose answer does not tell. */
export function spendUnit(record: GateRecord, now: number, pace: Pace): GateRecord {
  const leases = mapValues(record.leases, (lease) => ({ ...lease, missed: (lease.missed ?? 0) + 1 }))
  if (liveWindows(record, now).length > 0) return { ...record, leases, windows: record.windows.map(spendOne) }
  // In slices of time, so that no pace makes a long record.
  const slice = Math.ceil(pace.per / 600)
  const at = Math.ceil(now / slice) * slice
  const recent = record.unannounced.filter((units) => units.at + pace.per > now)
  const last = recent.at(-1)
  const unannounced =
    last && last.at >= at
      ? [...recent.slice(0, -1), { at: last.at, count: last.count + 1 }]
      : [...recent, { at, count: 1 }]
  return { ...record, leases, unannounced }
}

/** A machine's clock was set back: what was a wait of a minute then must not become one of an hour. */
export function afterSettingBack(record: GateRecord, now: number): GateRecord {
  const by = record.updatedAt - now
  if (by <= clockTolerance) return record
  const earlier = (time: number) => Math.max(0, time - by)
  return {
    ...record,
    updatedAt: now,
    coolUntil: earlier(record.coolUntil),
    limitedAt: earlier(record.limitedAt),
    windows: record.windows.map((window) => ({ ...window, resetAt: earlier(window.resetAt) })),
    unannounced: record.unannounced.map(({ at, count }) => ({ at: earlier(at), count })),
    leases: mapValues(record.leases, (lease) => ({
      ...lease,
      sentAt: earlier(lease.sentAt),
      until: earlier(lease.until),
    })),
    skew: unknownSkew,
  }
}

/** Whatever else went wrong, nothing keeps an app waiting for longer than a day. */
function withinADay(record: GateRecord, now: number): GateRecord {
  const latest = now + longestWait
  const isSound =
    record.coolUntil <= latest &&
    record.limitedAt <= now + clockTolerance &&
    record.strikes <= mostStrikes &&
    record.windows.every(({ resetAt }) => resetAt <= latest) &&
    record.unannounced.every(({ at }) => at <= latest) &&
    Object.values(record.leases).every(({ until }) => until <= latest)
  if (isSound) return record
  const bounded = (time: number) => Math.min(time, latest)
  return {
    ...record,
    coolUntil: bounded(record.coolUntil),
    limitedAt: Math.min(record.limitedAt, now),
    strikes: Math.min(record.strikes, mostStrikes),
    windows: record.windows.map((window) => ({ ...window, resetAt: bounded(window.resetAt) })),
    unannounced: record.unannounced.map(({ at, count }) => ({ at: bounded(at), count })),
    leases: mapValues(record.leases, (lease) => ({ ...lease, until: bounded(lease.until) })),
  }
}

function mapValues(leases: GateRecord['leases'], change: (lease: Lease) => Lease): GateRecord['leases'] {
  return Object.fromEntries(Object.entries(leases).map(([id, lease]) => [id, change(lease)]))
}
