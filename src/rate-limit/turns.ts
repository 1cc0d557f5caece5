import type { Priority } from './gate.ts'
import { maxWaitingPages, type GateRecord, type WaitingPage } from './GateRecord.ts'

/** How long a page counts as waiting from the time of its turn, in ms: it may be asleep or gone. */
export const turnTime = 1_000
/** A page that still waits says so again after this time, in ms. */
const renewalTime = 500
/** No further page tells that it waits: it bounds the record. */
const maxOtherPages = maxWaitingPages - 1

/** The share of one page among those that wait. */
export interface Turn {
  /** How many other pages wait for the same units. */
  readonly rivals: number
  /** When the first of them no longer counts (epoch ms); infinite without rivals. */
  readonly rivalsUntil: number
  /** How many of some units the page may take. */
  readonly shareOf: (units: number) => number
}

/**
 * People come first over all pages. Pages that wait with the same priority share the units so that each has got as many
 * in the end. One that has had more than its share waits until the others have had theirs.
 */
export function turnOf(record: GateRecord, page: string, priority: Priority, now: number): Turn {
  const rivals = otherPages(record, page, now)
    .map(([, other]) => other)
    .filter((other) => other.from <= now && (other.user || other[priority]))
  const served = servedUnits(record, page, now)
  const isBehind = priority === 'background' && rivals.some(({ user }) => user)
  return {
    rivals: rivals.length,
    rivalsUntil: Math.min(Infinity, ...rivals.map(({ from }) => from + turnTime)),
    shareOf: (units) => {
      if (rivals.length === 0) return Infinity
      const total = rivals.reduce((sum, other) => sum + other.served, units + served)
      const isNext = rivals.every((other) => other.served >= served)
      return isBehind ? 0 : Math.max(isNext ? 1 : 0, Math.floor(total / (rivals.length + 1)) - served)
    },
  }
}

/** The news about the requests of a page. */
export interface PageUpdate {
  /** Whether requests of each priority wait. */
  readonly user: boolean
  readonly background: boolean
  /** When the first of them may leave, at the earliest (epoch ms). */
  readonly notBefore: number
  readonly hasSent: boolean
  /** How many requests it has sent while other pages waited for the same units. */
  readonly shared: number
  /** Whether other pages have requests in flight. */
  readonly othersInFlight: boolean
  readonly owner?: string | undefined
}

/** Tells the other pages whether this one waits. Returns the same record if they know it well enough. */
export function recordTurn(record: GateRecord, page: string, update: PageUpdate, now: number): GateRecord {
  const { user, background, hasSent, shared, owner } = update
  const mine = record.waiting[page]
  const others = otherPages(record, page, now)
  const isWaiting = user || background
  const from = isWaiting ? Math.max(now, update.notBefore) : now
  const isKnown = isWaiting
    ? mine?.user === user && mine.background === background && !hasSent
    : shared === 0 && (!mine || mine.from + turnTime <= now || !(mine.user || mine.background))
  // A page that is alone need not repeat that it waits.
  const isOutdated = isWaiting && hasOthers(others, update) && Math.abs(from - (mine?.from ?? 0)) >= renewalTime
  // A page must never remove another that still counts: the two would write in turn for ever.
  const isFull = !mine && others.length >= maxOtherPages
  if (isFull || (isKnown && !isOutdated)) return record
  const served = servedUnits(record, page, now) + shared
  // What a page has got is remembered for a while: its next request is not the first of a new page.
  const entry =
    isWaiting || shared > 0 ? [[page, { user, background, from, served, ...(owner && { owner }) }] as const] : []
  return { ...record, waiting: Object.fromEntries([...others, ...entry]) }
}

/** When this page has to say again that it waits (epoch ms); infinite if it need not. */
export function nextRenewalAt(record: GateRecord, page: string, update: PageUpdate, now: number): number {
  const mine = record.waiting[page]
  if (!mine || !(update.user || update.background) || update.notBefore > now) return Infinity
  return hasOthers(otherPages(record, page, now), update) ? mine.from + renewalTime : Infinity
}

function hasOthers(others: readonly unknown[], { othersInFlight }: PageUpdate): boolean {
  return others.length > 0 || othersInFlight
}

/** Whether another page waits, or is about to. */
export function hasRivals(record: GateRecord, page: string, now: number): boolean {
  return otherPages(record, page, now).some(([, { user, background }]) => user || background)
}

/** The other pages that count now or later. */
function otherPages({ waiting }: GateRecord, page: string, now: number): [string, WaitingPage][] {
  return Object.entries(waiting).filter(([id, { from }]) => id !== page && from + turnTime > now)
}

/** How many units a page has got. One that begins to wait starts with as many as the page that has got the fewest. */
function servedUnits(record: GateRecord, page: string, now: number): number {
  const mine = record.waiting[page]
  if (mine && mine.from + turnTime > now) return mine.served
  const others = otherPages(record, page, now).filter(([, { user, background }]) => user || background)
  return others.reduce((fewest, [, { served }]) => Math.min(fewest, served), others[0]?.[1].served ?? 0)
}
