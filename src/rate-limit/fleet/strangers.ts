import type { GateRecord } from '../GateRecord.ts'
import type { EndedRequest } from '../pageGate.ts'
import { minute } from '../plan.ts'
import type { RateLimitHeaders } from '../rateLimitHeaders.ts'
import { turnTime } from '../turns.ts'
import { countInFlight, liveWindows, spend } from '../windows.ts'

/*
 * Whose use of the key a process does not see, and what it leaves to them: other programs, processes that have lost the
 * store, and those of which the store has told it nothing.
 */

/** Whether fewer units are left than the record says: another program uses the key, and the other processes must know. */
export function isLessThanKnown(record: GateRecord, { limit, remaining }: RateLimitHeaders, now: number): boolean {
  if (remaining === undefined) return false
  const held = countInFlight(record)
  return liveWindows(record, now).some((window) => window.limit === limit && remaining < window.remaining - held)
}

/** A process takes strangers for so many processes, itself included. */
const suspectedProcesses = 4
/** They count for so long after the last response that has shown them, in ms. */
const suspicionTime = minute
/** After so many responses that show none, nobody looks for them in the next window. */
const enoughLooks = 8

/** The other processes, as a process sees them that has lost the store and knows of none, or has never had it. */
interface Strangers {
  /** Call it with each response, and what was known before. */
  readonly look: (stored: GateRecord, ended: EndedRequest, now: number) => void
  /** How many processes seem to share the quota. */
  readonly count: (now: number) => number
  /** Leaves them all but the few units that may be in flight while the process looks for them. */
  readonly leaveUnits: (record: GateRecord) => GateRecord
}

/**
 * Strangers show between two responses. What is missing at the first one of a window may have been used by nobody who is
 * still there, such as this process before a restart. So it goes on with one request, and then with one more for each response
 * that shows nobody.
 */
export function createStrangers(): Strangers {
  let mostInFlight = 1
  let until = -Infinity

  return {
    look: (stored, { rateLimitHeaders = {} }, now) => {
      const { limit = 0, remaining = limit } = rateLimitHeaders
      if (liveWindows(stored, now).length === 0) {
        const isMissing = remaining < limit - countInFlight(stored)
        mostInFlight = isMissing || mostInFlight < enoughLooks ? 1 : Infinity
        return
      }
      mostInFlight += 1
      if (isLessThanKnown(stored, rateLimitHeaders, now)) until = now + suspicionTime
    },
    count: (now) => (now < until ? suspectedProcesses : 1),
    leaveUnits: (record) => {
      if (mostInFlight === Infinity) return record
      const windows = record.windows.map((window) => {
        return { ...window, remaining: Math.min(window.remaining, mostInFlight) }
      })
      return { ...record, windows }
    },
  }
}

/** How long a refusal counts, in ms. */
const refusalTime = 5 * minute
/** Processes leave one part of so many of a limit to other programs at most. */
const otherProgramParts = 20

/** Other programs that use the key. */
interface OtherPrograms {
  readonly watch: (record: GateRecord, now: number) => void
  /** Leaves them some units of each window. */
  readonly leaveUnits: (record: GateRecord, now: number) => GateRecord
}

/**
 * A fleet that sends all that is left at once is refused where another program takes a unit meanwhile, and begins the next
 * window later. A second refusal within minutes is no accident: from then on the fleet leaves one unit more with each.
 */
export function createOtherPrograms(): OtherPrograms {
  let seenAt = 0
  let refusals = 0
  let until = -Infinity

  return {
    watch: ({ cooldownStartedAt }, now) => {
      if (cooldownStartedAt <= seenAt) return
      seenAt = cooldownStartedAt
      refusals = now < until ? refusals + 1 : 1
      until = now + refusalTime
    },
    leaveUnits: (record, now) => {
      if (now >= until || refusals < 2) return record
      const windows = record.windows.map((window) => {
        if (window.resetAt <= now) return window
        return spend(window, Math.min(refusals - 1, Math.floor(window.limit / otherProgramParts)))
      })
      return { ...record, windows }
    },
  }
}

/** How long the others leave a unit of each window to a process that has lost them, in ms. */
const absenceTime = 5 * minute
/** They leave one part of so many of a limit at most. */
const absentParts = 10
/** The processes that have not come when it was their turn. */
interface Absence {
  /** @param own - the id of this process */
  readonly watch: (record: GateRecord, own: string, now: number) => void
  /** Leaves each of them one unit of each window, to find out what is left without a refusal. */
  readonly leaveUnits: (record: GateRecord) => GateRecord
}

/** A process whose requests wait says so again and again. One that does not come may have lost the store, and go on. */
export function createAbsence(): Absence {
  /** When the turn of each process that waits is over, and since when each one is absent (epoch ms). */
  const turns = new Map<string, number>()
  const absentSince = new Map<string, number>()

  return {
    watch: (record, own, now) => {
      for (const [id, { user, background, from }] of Object.entries(record.waiting)) {
        turns.delete(id)
        absentSince.delete(id)
        if (id !== own && (user || background)) turns.set(id, from + turnTime)
      }
      for (const [id, until] of turns) {
        // One that does not wait any more has gone from the record before.
        if (until <= now) absentSince.set(id, until)
        if (until <= now || !(id in record.waiting)) turns.delete(id)
      }
      for (const [id, since] of absentSince) if (since + absenceTime <= now) absentSince.delete(id)
    },
    leaveUnits: (record) => {
      if (absentSince.size === 0) return record
      const windows = record.windows.map((window) => {
        return spend(window, Math.min(absentSince.size, Math.floor(window.limit / absentParts)))
      })
      return { ...record, windows }
    },
  }
}
