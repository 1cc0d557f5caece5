import type { GateRecord, ProcessUsers } from '../GateRecord.ts'
import { resetTolerance } from '../windows.ts'

/** The users of another process, with what they have used of the current window. */
export interface OtherUsers extends Omit<ProcessUsers, 'reset' | 'until'> {
  /** Of the process. */
  readonly id: string
}

/** How long the users of a process count if it says nothing more, in ms. */
const lifetime = 10_000

/** No further process counts: it bounds the record. */
const maxProcesses = 64

const fields = ['within', 'usedWithin', 'beyond', 'usedBeyond', 'promised', 'kept', 'reset', 'until'] as const

/** @param reset - that of the current window; 0 where none is known */
export function readOtherUsers(record: GateRecord, own: string, reset: number, now: number): readonly OtherUsers[] {
  return liveEntries(record, own, now).map(([id, entry]) => {
    if (reset > 0 && Math.abs(entry.reset - reset) <= resetTolerance) return { ...entry, id }
    return { id, within: entry.within + entry.beyond, usedWithin: 0, beyond: 0, usedBeyond: 0, promised: 0, kept: 0 }
  })
}

/**
 * Tells the other processes of the users of this one. Returns the same record if they know of them.
 *
 * @param users - `until`: when the last of those is gone who were told to come back (epoch ms)
 * @param holdFor - how long the process may say nothing, in ms
 */
export function recordUsers(
  record: GateRecord,
  own: string,
  users: ProcessUsers,
  now: number,
  holdFor: number,
): GateRecord {
  const known = record.users?.[own]
  const time = Math.max(lifetime, holdFor)
  const next = { ...users, until: Math.max(now + time, users.until) }
  const isSame = known && fields.every((field) => field === 'until' || known[field] === next[field])
  const isKnown = isSame && countUntil(known, Math.max(now + time / 2, users.until))
  if (isKnown || (!known && users.within + users.beyond === 0)) return record
  const others = liveEntries(record, own, now).slice(0, maxProcesses - 1)
  return { ...record, updatedAt: now, users: Object.fromEntries([...others, [own, next]]) }
}

/** Whether the users of a process count until a time (epoch ms), as the others know. */
export function countUntil(known: ProcessUsers | undefined, time: number): boolean {
  return known !== undefined && known.until > time - resetTolerance
}

/** How many users all processes serve but one. */
export function countUsers(record: GateRecord, own: string, now: number): number {
  return liveEntries(record, own, now).reduce((sum, [, { within, beyond }]) => sum + within + beyond, 0)
}

function liveEntries({ users }: GateRecord, own: string, now: number): [string, ProcessUsers][] {
  if (!users) return []
  return Object.entries(users)
    .filter(([id, entry]) => id !== own && isValid(entry) && entry.until > now)
    .slice(0, maxProcesses)
}

/** A store may hold anything, and what reads the rest of the record does not look at users. */
function isValid(entry: Partial<ProcessUsers> | null): boolean {
  return fields.every((field) => Number.isFinite(entry?.[field]) && Number(entry?.[field]) >= 0)
}
