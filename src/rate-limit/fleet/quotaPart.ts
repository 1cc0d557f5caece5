import type { GateRecord, GateWindow, InFlightBatch } from '../GateRecord.ts'
import type { CustomRate } from '../plan.ts'
import { turnOf, turnTime } from '../turns.ts'
import { countInFlight, liveWindows, resetTolerance } from '../windows.ts'
import { leaseTime, spendOthers } from './heldUnits.ts'

/** A record as a process uses it. What it leaves to others is its own decision, and no news. */
export interface RecordView {
  readonly live: GateRecord
  /** The record without that decision. */
  readonly known: GateRecord
  /** What is in flight to others, and does not count in `live`. */
  readonly aside: GateRecord['inFlight']
}

/** The part of the quota that a process uses while others may not know of it. */
interface QuotaPart {
  /**
   * @param own - the batches of the process
   * @param processes - how many share the quota
   */
  readonly viewOf: (record: GateRecord, own: ReadonlySet<string>, processes: number, now: number) => RecordView
  /** Counts requests that have left. */
  readonly count: (requests: number) => void
  /** Call it with each record that the store has taken from the process. */
  readonly tell: (record: GateRecord, own: ReadonlySet<string>) => void
  /** Call it when all processes know of each other. */
  readonly end: () => void
}

interface QuotaPartOptions {
  readonly pace: CustomRate
  /** Whether the process learns nothing of others now. */
  readonly isCutOff: () => boolean
  /** The name under which the process waits. */
  readonly name: () => string
}

export function createQuotaPart({ pace, isCutOff, name }: QuotaPartOptions): QuotaPart {
  const share = createOutageShare()
  const caution = createCaution()
  /** Since when the process knows nothing of the others (epoch ms). */
  let cutOffAt = Infinity
  /** When the process last heard of what another one has sent since, which so has the store (epoch ms). */
  let heardAt = -Infinity

  function holdBack(limited: GateRecord, known: GateRecord, processes: number, now: number): GateRecord {
    const haveWaited = turnOf(known, name(), 'user', cutOffAt).rivals > 0
    const keepParts = share.othersKeepParts && now - heardAt > pace.per
    return caution.holdBack(limited, known, { processes, cutOffAt, haveWaited, keepParts }, now)
  }

  return {
    viewOf: (record, own, processes, now) => {
      if (!isCutOff()) {
        cutOffAt = Infinity
        return { live: share.limitWindows(record, processes, now), known: record, aside: {} }
      }
      cutOffAt = Math.min(cutOffAt, now)
      const others = Object.entries(record.inFlight).filter(([id]) => !own.has(id))
      if (others.some(([, { since }]) => since > cutOffAt)) heardAt = now
      const spent = spendOthers(record, own, now, pace)
      const live = holdBack(share.limitWindows(spent, processes, now), spent, processes, now)
      // Of what others have renewed since, they also tell the end: the first update after the loss must not spend it.
      const aside = Object.fromEntries(others.filter(([, { until }]) => until - leaseTime > cutOffAt))
      return { live, known: spendOthers(record, new Set([...own, ...Object.keys(aside)]), now, pace), aside }
    },
    count: (requests) => {
      share.count(requests)
      caution.count(requests)
    },
    tell: ({ inFlight }, own) => {
      const batches = [...own].flatMap((id): InFlightBatch | [] => inFlight[id] ?? [])
      share.tellInFlight(
        batches.reduce((units, { count }) => units + count, 0),
        batches.reduce((last, { until }) => Math.max(last, until), -Infinity),
      )
    },
    end: () => {
      cutOffAt = Infinity
      share.end()
    },
  }
}

/** The part that a process may use of a quota that it shares with others, while it does not know what they use. */
interface OutageShare {
  /** @param processes - how many processes share the quota */
  readonly limitWindows: (record: GateRecord, processes: number, now: number) => GateRecord
  /** Whether all seem to be without the store, by what they had used of the last window. */
  readonly othersKeepParts: boolean
  /** Counts requests that have left. */
  readonly count: (requests: number) => void
  /** Call it with what the store counts as in flight for this process, and until when (epoch ms). */
  readonly tellInFlight: (units: number, until: number) => void
  /** Forgets all parts: the processes know of each other again. */
  readonly end: () => void
}

/** The part of one window that belongs to this process. */
interface WindowShare {
  readonly limit: number
  readonly reset: number
  /** Epoch ms. */
  readonly resetAt: number
  /** How many requests of the process had left in all when the window began. */
  readonly from: number
  /** How many have left in all when its part is used up. */
  readonly until: number
  /** What the others had used at the last response, where the window began in the outage. */
  readonly usedByOthers: number | undefined
  /** What the others, if they have the store, leave to requests of this process that were in flight to them when the window began. */
  readonly leftByOthers: number
}

/**
 * Of the window in which it begins, each process takes an equal part of what is left: together that is all of it. What
 * the others have in flight is unknown and may not be counted yet, so each leaves out as much as it has in flight itself.
 * Of a later window each takes an equal part of the limit, unless the others have taken more than their parts before it
 * looks: then they still have the store.
 */
export function createOutageShare(): OutageShare {
  let shares: readonly WindowShare[] = []
  let sent = 0
  /** How many requests had left when the last window was over; `undefined` within a window. */
  let sentBefore: number | undefined
  let othersKeepParts = false
  let inFlight = { units: 0, until: -Infinity }

  return {
    get othersKeepParts() {
      return othersKeepParts
    },
    tellInFlight: (units, until) => {
      inFlight = { units, until }
    },
    count: (requests) => {
      sent += requests
    },
    limitWindows: (record, processes, now) => {
      const held = countInFlight(record)
      const partOf = (limit: number) => Math.floor(limit / processes)
      const usedSince = (from: number, { limit, remaining }: GateWindow) => limit - remaining - (sent - from - held)
      const shareOf = (window: GateWindow): WindowShare => {
        const { limit, reset, resetAt, remaining } = window
        const known = shares.find((share) => share.limit === limit)
        if (known && reset <= known.reset + resetTolerance) {
          return known.usedByOthers === undefined ? known : { ...known, usedByOthers: usedSince(known.from, window) }
        }
        const from = sentBefore ?? sent
        const isNew = known !== undefined && limit > 0
        const usedByOthers = isNew ? usedSince(from, window) : undefined
        const isWhole = usedByOthers !== undefined && usedByOthers <= limit - partOf(limit)
        const until = isWhole ? from + partOf(limit) : sent + Math.floor(remaining / processes) - held
        const leftByOthers = isNew && known.resetAt < inFlight.until ? inFlight.units : 0
        return { limit, reset, resetAt, from, until, usedByOthers, leftByOthers }
      }
      shares = record.windows.map(shareOf)
      const used = shares.flatMap(({ limit, usedByOthers, leftByOthers }) =>
        usedByOthers === undefined ? [] : (usedByOthers + leftByOthers) / (limit - partOf(limit)),
      )
      if (used.some((parts) => parts > 1)) othersKeepParts = false
      if (liveWindows(record, now).length > 0) sentBefore = undefined
      else {
        sentBefore ??= sent
        // Others that have used little may have the store, and a burst of requests later.
        othersKeepParts = used.length > 0 && used.every((parts) => parts <= 1 && parts >= 1 / 2)
      }
      const windows = record.windows.map((window, index) => {
        const units = held + Math.max(0, (shares[index]?.until ?? 0) - sent)
        return { ...window, remaining: Math.min(window.remaining, units) }
      })
      return { ...record, windows }
    },
    end: () => {
      shares = []
      othersKeepParts = false
    },
  }
}

/** A process that is cut off looks so much later whether a new window still has units, in ms: its turn is over by then. */
const lookTime: number = turnTime + 250
/**
 * It takes one part of so many of its share of what is left, until a response tells what the others take: fewer parts if
 * they are without the store, too.
 */
const cautiousParts = 8
const outageParts = 2
/** Others take much if they take one part of so many of what is left between two looks. */
const muchParts = 4
/** After a refusal it waits so many times longer, but not much longer. */
const refusalWait = 3
const maxRefusalWait = 10_000

/** What a process knows of the others without the store. */
interface OthersUnseen {
  /** How many processes share the quota, itself included. */
  readonly processes: number
  /** Since when it knows nothing of them (epoch ms). */
  readonly cutOffAt: number
  /** Whether their requests waited then for units that were left. */
  readonly haveWaited: boolean
  /** Whether they seem to be without the store, too. */
  readonly keepParts: boolean
}

/** A window as it was known last. */
interface SeenWindow extends GateWindow {
  /** How many requests of the process had left, then and before the window. */
  readonly sent: number
  readonly from: number
  /** When its response came; earlier than all if that may have been before the loss. In epoch ms. */
  readonly at: number
  /** Until when the others may begin it late, and take all of it (epoch ms); 0 if they have begun. */
  readonly mayBeginUntil: number
}

/** The view of a process that has lost the store. */
interface Caution {
  /**
   * @param limited - the record with the process's part of each window
   * @param known - the same record with all that is left
   */
  readonly holdBack: (limited: GateRecord, known: GateRecord, others: OthersUnseen, now: number) => GateRecord
  /** Counts requests that have left. */
  readonly count: (requests: number) => void
}

/**
 * A process that has lost the store cannot know whether the others have, too. Perhaps it is cut off alone, and they take
 * all. So it begins a window after them, takes little before it hears what is left, pauses while others take much, and
 * leaves a few windows to them once it was refused.
 */
export function createCaution(): Caution {
  let sent = 0
  /** The windows at the last look, by their limits, with when that was (epoch ms). */
  const seen = new Map<number, SeenWindow>()
  let pauseUntil = 0
  /** When it could look into a window of which it has not heard since (epoch ms). */
  let lookedAt = -Infinity
  /** Since when the last loss lasts (epoch ms). */
  let lostAt = Infinity

  function watchOthers(window: GateWindow, processes: number, now: number): void {
    const { limit, reset, remaining } = window
    const before = seen.get(limit)
    const isSame = before !== undefined && Math.abs(reset - before.reset) <= resetTolerance
    if (isSame && remaining === before.remaining) return
    // What it knows of its first window may be from before the loss.
    if (before === undefined)
      return void seen.set(limit, { ...window, sent, from: sent, at: -Infinity, mayBeginUntil: 0 })
    const usedByOthers = before.remaining - remaining - (sent - before.sent)
    const { from, mayBeginUntil } = isSame ? before : { from: before.sent, mayBeginUntil: now + lookTime }
    // One request of each may be all that they have used.
    const haveBegun = limit - remaining - (sent - from) > processes
    seen.set(limit, { ...window, sent, from, at: now, mayBeginUntil: haveBegun ? 0 : mayBeginUntil })
    if (isSame && usedByOthers > Math.max(processes, remaining / muchParts)) pauseUntil = now + lookTime
    // It knows of a window before its own look, perhaps by a request of the window before that was late: the others begin
    // it now, and leave it a unit.
    if (isSame) return
    if (now - lookedAt > lookTime) pauseUntil = now + lookTime
    lookedAt = -Infinity
  }

  function forgetOthersThan(windows: readonly GateWindow[]): void {
    for (const limit of seen.keys()) if (windows.every((window) => window.limit !== limit)) seen.delete(limit)
  }

  return {
    count: (requests) => {
      sent += requests
    },
    holdBack: (limited, known, { processes, cutOffAt, haveWaited, keepParts }, now) => {
      const held = countInFlight(limited)
      forgetOthersThan(known.windows)
      // Others that wait take what is left.
      if (cutOffAt !== lostAt && haveWaited) pauseUntil = Math.max(pauseUntil, endOfFirst(liveWindows(known, now)))
      lostAt = cutOffAt
      const windows = limited.windows.map((window, index): GateWindow => {
        const { remaining, resetAt } = window
        const looksAt = resetAt + (keepParts ? 0 : lookTime)
        // One request looks, also after a window that ended with units left.
        if (resetAt <= now && now < looksAt) return { ...window, remaining: 0, resetAt: looksAt }
        if (resetAt <= now) {
          lookedAt = now
          return { ...window, remaining: 0 }
        }
        const whole = known.windows[index] ?? window
        if (!keepParts) watchOthers(whole, processes, now)
        if (now < pauseUntil) return { ...window, remaining: 0, resetAt: Math.min(resetAt, pauseUntil) }
        const parts = keepParts ? outageParts : cautiousParts
        // After the loss, after a pause, and before the others have begun, one request finds out what they leave.
        const { at = now, mayBeginUntil = 0 } = seen.get(window.limit) ?? {}
        const isOutdated = at < Math.max(cutOffAt, pauseUntil) || now < mayBeginUntil
        const atOnce = isOutdated && !keepParts ? 1 : Math.max(1, Math.floor(whole.remaining / (processes * parts)))
        return { ...window, remaining: Math.min(remaining, Math.max(held, atOnce)) }
      })
      const { cooldownStartedAt, cooldownUntil } = limited
      const wasRefused = cooldownStartedAt >= cutOffAt
      const wait = Math.min(maxRefusalWait, refusalWait * (cooldownUntil - cooldownStartedAt))
      return { ...limited, windows, maxInFlight: 1, cooldownUntil: cooldownUntil + (wasRefused ? wait : 0) }
    },
  }
}

/** When the first of some windows is over (epoch ms); 0 without windows. */
function endOfFirst(windows: readonly GateWindow[]): number {
  return windows.length === 0 ? 0 : Math.min(...windows.map(({ resetAt }) => resetAt))
}

/** The pace of one of several processes that do not know of each other. */
export function dividePace(pace: CustomRate, processes: number): CustomRate {
  return processes > 1 ? { ...pace, limit: Math.max(1, Math.floor(pace.limit / processes)) } : pace
}
