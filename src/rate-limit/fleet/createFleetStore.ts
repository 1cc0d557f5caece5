import {
  createPageGate,
  type EndedRequest,
  type Fleet,
  fleet,
  type FleetStore,
  type PageGate,
  type PageGateOptions,
} from '../pageGate.ts'
import type { RateLimitStore, StoreClock } from '../RateLimitStore.ts'
import { readRecord } from '../records.ts'
import {
  allotmentSize,
  createHeldUnits,
  createOwnBatches,
  createRecentUsage,
  holdUnits,
  leaseOf,
  leaseTime,
  type Lease,
  noAllotment,
  type ProposedAllotment,
  renewLeases,
  spendOthers,
} from './heldUnits.ts'
import { countUsers, recordUsers } from './recordUsers.ts'
import type { Clock } from '../../base/Clock.ts'
import {
  clockTolerance,
  type GateRecord,
  type GateWindow,
  type InFlightBatch,
  mapTimes,
  rebaseAfterClockRollback,
} from '../GateRecord.ts'
import { isRefusal, unitsLeft } from '../gate.ts'
import type { DrainResult } from '../drain.ts'
import { countInFlight, expire, liveWindows, removeInFlight, resetTolerance, spend } from '../windows.ts'
import { isOutage, isUnexplainedFailure } from '../failures.ts'
import type { RateLimitHeaders } from '../rateLimitHeaders.ts'
import { hasRivals, turnTime } from '../turns.ts'
import type { QueuedRequest } from '../requestQueue.ts'
import { type CustomRate, minute } from '../plan.ts'

/** A store that processes on several machines share. */
export interface SharedStore extends RateLimitStore {
  /** The clock of the store, in epoch ms: the clocks of the machines differ. */
  readonly now: () => number
  /** The processes that share a record. */
  readonly processes: (name: string) => Pick<KnownProcesses, 'count' | 'areComplete'>
}

/** Adds the parts of the gate that only a fleet needs. */
export function createFleetStore(store: SharedStore): FleetStore {
  const parts: Fleet = {
    leaseTime,
    maxPause: 30_000,
    createClock: (clock) => createStoreClock(clock, store.now),
    createRepair: createClockRepair,
    createOwnBatches,
    isOlder: (stored, than) => readRecord(stored).updatedAt < than.updatedAt,
    createGate: (options) => {
      // While the store fails, and until all others are back, each process continues with its part of the quota.
      const countProcesses = () => {
        const { count, areComplete } = store.processes(options.name)
        return areComplete && !options.isCutOff() ? 1 : count
      }
      return createFleetGate(options, countProcesses)
    },
  }
  return { ...store, [fleet]: parts }
}

/** A smaller difference from the last one is no news, in ms: else one time would have many translations. */
const tolerance = 50

/** @param now - the clock of the store, in epoch ms */
export function createStoreClock(clock: Clock, now: () => number): StoreClock {
  let ahead = 0
  return {
    ...clock,
    now,
    toLocal: (time) => {
      const difference = now() - clock.now()
      if (Math.abs(difference - ahead) > tolerance) ahead = difference
      return time - ahead
    },
  }
}

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

/** The processes that share a record, as one of them knows them. */
export interface KnownProcesses {
  /** How many there are, or were before the store failed. */
  readonly count: number
  /** Whether the store knows of all of them: after a failure others may still use their parts without it. */
  readonly areComplete: boolean
  /** Since when they have to be back (epoch ms of the store's clock), or nothing if they are complete. */
  readonly since: number | undefined
  /** Call it when the store has failed. */
  readonly fail: () => void
  /**
   * Call it when the store has responded.
   *
   * @param count - how many have used the record lately
   * @param back - how many of them have used it since `since`
   */
  readonly learn: (count: number, back: number) => void
}

/** A process that is not back after this time is gone, in ms: each tries the store again in half a minute at the latest. */
const returnTime = 31_000

/** @param now - the clock of the store, in epoch ms */
export function createKnownProcesses(now: () => number): KnownProcesses {
  let count = 1
  let before: number | undefined
  let since: number | undefined
  let recoveredAt: number | undefined

  return {
    get count() {
      return before ?? count
    },
    get areComplete() {
      return before === undefined
    },
    get since() {
      return since
    },
    fail: () => {
      before ??= count
      since = now()
      recoveredAt = undefined
    },
    learn: (known, back) => {
      count = known
      recoveredAt ??= now()
      if (before === undefined || (back < before && now() < recoveredAt + returnTime)) return
      before = undefined
      since = undefined
    },
  }
}

/** Requests join one batch for so long, in ms. What a batch holds too much, after a merge, is lost soon after its end. */
const batchLength = 10_000
/** By the usage of such periods a process takes units ahead of its requests, for a short or a long lease, in ms. */
const shortPeriod = leaseTime / 2
const longPeriod = 10_000
/** How long a response waits for others, in ms, where the process holds no units ahead. */
const gatherTime = 100
/** How long a process still uses what it holds while it renews the lease, in ms: else its calls would wait for the store. */
const renewalTime = 250
/** Processes would write at the same time, and lose races: all long leases end with the window. In ms. */
const renewalSpread = 1_000
/** The same, where processes that began together need units again. In ms. */
const refillSpread = 500

interface FleetResult<Request extends QueuedRequest> extends DrainResult<Request> {
  /** The units that the process holds ahead once the decision is stored; `undefined` where it was made without the store. */
  readonly allotment?: ProposedAllotment
  /** How long it holds what it holds. */
  readonly lease?: Lease
  /** Whether it was made without the store, since that had failed. */
  readonly isAlone?: boolean
}

/**
 * The gate of one process of a fleet. Where there is room, it takes units ahead of its requests, so that most of them
 * leave without asking the store. A request leaves by such a unit only if the gate would admit it anyway, as far as the
 * process knows, and gives the unit back where it does not. So each rule of the gate holds for it too.
 *
 * @param countProcesses - returns how many processes share the quota without knowing of each other
 */
export function createFleetGate<Request extends QueuedRequest>(
  options: PageGateOptions<Request>,
  countProcesses: () => number,
): PageGate<Request> {
  const { clock, pace, queue, sent, isCutOff, random } = options
  const share = createOutageShare()
  const caution = createCaution()
  const absence = createAbsence()
  const strangers = createStrangers()
  const otherPrograms = createOtherPrograms()
  const held = createHeldUnits(clock.monotonic)
  const shortUsage = createRecentUsage(shortPeriod, clock.monotonic)
  const longUsage = createRecentUsage(longPeriod, clock.monotonic)
  const page = createPageGate(options, batchLength)
  /** The id of its first request. */
  let name = ''
  /** The last batch that its requests have joined. */
  let lastBatch = ''
  /** When the leases have to be renewed, in ms of the monotonic clock. */
  let renewsAt = 0
  /** Whether others wait for units, as far as the process knows. */
  let isAwaited = false
  /** Since when the process knows nothing of the others (epoch ms). */
  let cutOffAt = Infinity
  /** When the process last heard of what another one has sent since, which so has the store (epoch ms). */
  let heardAt = -Infinity

  function countOthers(now: number): number {
    const count = countProcesses()
    return count <= 1 && isCutOff() ? strangers.count(now) : count
  }

  function drainQueue(record: GateRecord, now: number, count = 1): DrainResult<Request> {
    return page.decide(record, now, { pace: dividePace(pace, count), holdsAhead: true })
  }

  /** @param lease - the lease of all that the process holds */
  function takeUnits(result: DrainResult<Request>, now: number, lease: Lease): FleetResult<Request> {
    const { record, batch: joined, admitted, refusals } = result
    const batch = joined ?? (lease.outlastsRequests && lastBatch !== '' ? lastBatch : undefined)
    const used = (lease.isLong ? longUsage : shortUsage).total() + admitted.length
    const isRoom = batch !== undefined && refusals.size === 0 && isAmpleForUsers(record, name, pace, now)
    const count = isRoom ? allotmentSize(record, name, used, now, pace, lease) : 0
    const kept = joined === undefined ? record : renewLeases(record, [joined], now, lease)
    if (batch === undefined || count === 0)
      return { ...result, record: kept, lease, allotment: held.propose(noAllotment) }
    const allotment = held.propose({ batch, count, until: clock.monotonic() + lease.renewal + renewalTime })
    return { ...result, record: holdUnits(kept, batch, count, now, lease), lease, allotment }
  }

  function decide(stored: GateRecord, now: number): FleetResult<Request> {
    const result = decideByRecord(stored, now)
    const { record, lease } = result
    const users = name === '' ? undefined : queue.countUsers?.(record)
    return users ? { ...result, record: recordUsers(record, name, users, now, lease?.time ?? 0) } : result
  }

  function decideByRecord(stored: GateRecord, now: number): FleetResult<Request> {
    const own = new Set([...sent.batches, held.batch])
    const expired = expire(rebaseAfterClockRollback(stored, now), now, pace)
    const lease = leaseOf(expired, name, now)
    isAwaited = hasRivals(expired, name, now)
    const renewed = renewLeases(expired, own, now, lease)
    const record = removeInFlight(renewed, held.batch, held.unused)
    const count = countOthers(now)
    const isAlone = isCutOff()
    if (count <= 1) {
      share.end()
      absence.watch(record, name, now)
      otherPrograms.watch(record, now)
      const left = otherPrograms.leaveUnits(absence.leaveUnits(record), now)
      const [live, unrenewed] = setUnrenewedAside(isAlone ? strangers.leaveUnits(left) : left, own, now)
      const result = takeUnits(drainQueue(live, now), now, lease)
      if (live === record) return { ...result, isAlone }
      const decided = withWindowsOf(record, result.record)
      return { ...result, record: { ...decided, inFlight: { ...unrenewed, ...decided.inFlight } }, isAlone }
    }
    cutOffAt = isAlone ? Math.min(cutOffAt, now) : Infinity
    if (Object.entries(record.inFlight).some(([id, { since }]) => !own.has(id) && since > cutOffAt)) heardAt = now
    const known = isAlone ? spendOthers(record, own, now, pace) : record
    const limited = share.limitWindows(known, count, now)
    const othersKeepParts = share.othersKeepParts && now - heardAt > pace.per
    const careful = isAlone ? caution.holdBack(limited, known, count, cutOffAt, othersKeepParts, now) : limited
    const result = drainQueue(careful, now, count)
    return {
      ...result,
      record: withWindowsOf(known, result.record),
      isAlone,
      allotment: held.propose(noAllotment),
    }
  }

  function decideAlone(stored: GateRecord, now: number): FleetResult<Request> | undefined {
    const waiting = queue.user.requests.size + queue.background.requests.size
    const known = expire(rebaseAfterClockRollback(stored, now), now, pace)
    const inStore = known.inFlight[held.batch]?.count ?? 0
    if (waiting > Math.min(inStore, held.available()) || countOthers(now) > 1) return undefined
    if (liveWindows(known, now).length === 0 || hasRivals(known, name, now)) return undefined
    const result = drainQueue(removeInFlight(known, held.batch, waiting), now)
    return result.admitted.length < waiting ? undefined : { ...result, batch: held.batch }
  }

  /** Nothing else is under way, and there is seldom more than one call. */
  function mayExit(): boolean {
    return sent.count === 0 && longUsage.total() <= 1
  }

  function gatherTimeOf(stored: GateRecord, record: GateRecord, ended: EndedRequest, now: number): number {
    strangers.look(stored, ended, now)
    if (mayExit() || mustBeKnown(stored, record, ended, now) || countOthers(now) > 1) return 0
    // The service has counted the request, and so have the others as long as it is in flight to them.
    if (!isAmpleForUsers(record, name, pace, now)) return 0
    const lease = leaseOf(record, name, now)
    // The store is asked for more before a call needs them.
    if (lease.isLong && held.isLow) return random() * refillSpread
    if (!lease.isLong && held.available() === 0) return gatherTime
    return lease.outlastsRequests ? Math.max(0, renewsAt - clock.monotonic()) : lease.renewal
  }

  return {
    enter: (id) => {
      name ||= id
      page.enter(id)
    },
    decide: (record, now) => {
      const result = decide(record, now)
      held.begin(result.allotment)
      return result
    },
    preview: decide,
    join: (result: FleetResult<Request>) => {
      if (result.allotment) {
        held.commit(result.allotment)
        const { renewal, isLong } = result.lease ?? { renewal: shortPeriod, isLong: false }
        renewsAt = clock.monotonic() + renewal - (isLong ? random() * renewalSpread : 0)
      } else held.use(result.admitted.length)
      const batch = page.join(result)
      lastBatch = batch || lastBatch
      return batch
    },
    fleet: {
      decideAlone,
      count: (requests) => {
        share.count(requests)
        caution.count(requests)
        shortUsage.count(requests)
        longUsage.count(requests)
      },
      isCutOff: ({ allotment, isAlone = false }: FleetResult<Request>) =>
        allotment !== undefined && !isAlone && isCutOff(),
      gatherTimeOf,
      mayExit,
      updateAt: (dueAt, now) => {
        // What others wait for is given back at once, and so is a response: to them its request is still in flight.
        if (isAwaited && (held.available() > 0 || dueAt < Infinity)) return now
        return sent.count + held.unused === 0 ? dueAt : Math.min(dueAt, now + renewsAt - clock.monotonic())
      },
    },
  }
}

/** Where so many units are left for each user, what a process has in flight is missing to none of another one. */
const ampleUnits = 8

/** What is in flight in a process, or held ahead, another one can tell no user of. */
function isAmpleForUsers(record: GateRecord, own: string, pace: CustomRate, now: number): boolean {
  if (countUsers(record, own, now) === 0) return true
  return unitsLeft(record, 'user', now, pace) > ampleUnits * countUsers(record, '', now)
}

/** A process that has to renew a lease may be so much late, in ms. */
const renewalTolerance = 500

/**
 * Before the first response of a window, leaves out what others had in flight before it began and have not renewed since:
 * their process may be gone, and nobody would look into the window until the lease has expired.
 */
function setUnrenewedAside(
  record: GateRecord,
  own: ReadonlySet<string>,
  now: number,
): readonly [GateRecord, GateRecord['inFlight']] {
  if (record.windows.length === 0 || liveWindows(record, now).length > 0) return [record, {}]
  const openedAt = Math.max(record.cooldownUntil, ...record.windows.map(({ resetAt }) => resetAt))
  const isUnrenewed = ([id, { until }]: readonly [string, InFlightBatch]) => {
    const renewedAt = until - leaseTime
    return !own.has(id) && renewedAt < openedAt && renewedAt + leaseTime / 2 + renewalTolerance < now
  }
  const batches = Object.entries(record.inFlight)
  const unrenewed = batches.filter(isUnrenewed)
  if (unrenewed.length === 0) return [record, {}]
  const inFlight = Object.fromEntries(batches.filter((batch) => !isUnrenewed(batch)))
  return [{ ...record, inFlight }, Object.fromEntries(unrenewed)]
}

/** Takes back what a process leaves to others: that is its own decision, and no news. */
function withWindowsOf({ windows, cooldownUntil, maxInFlight }: GateRecord, decided: GateRecord): GateRecord {
  return { ...decided, windows, cooldownUntil, maxInFlight }
}

/** Whether the other processes have to know how a request ended, and cannot wait. */
function mustBeKnown(
  stored: GateRecord,
  record: GateRecord,
  { status, rateLimitHeaders = {} }: EndedRequest,
  now: number,
): boolean {
  if (status === undefined || isUnexplainedFailure(status, rateLimitHeaders)) return true
  // Without a window others may wait for what the response says.
  const isAwaited = liveWindows(record, now).length === 0 || isOutage(record)
  return isAwaited || isRefusal(status, rateLimitHeaders) || isLessThanKnown(stored, rateLimitHeaders, now)
}

/** Whether fewer units are left than the record says: another program uses the key, and the other processes must know. */
function isLessThanKnown(record: GateRecord, { limit, remaining }: RateLimitHeaders, now: number): boolean {
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
function createStrangers(): Strangers {
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

/** The part that a process may use of a quota that it shares with others, while it does not know what they use. */
interface OutageShare {
  /** @param processes - how many processes share the quota */
  readonly limitWindows: (record: GateRecord, processes: number, now: number) => GateRecord
  /** Whether all seem to be without the store, by what they had used of the last window. */
  readonly othersKeepParts: boolean
  /** Counts requests that have left. */
  readonly count: (requests: number) => void
  /** Forgets all parts: the processes know of each other again. */
  readonly end: () => void
}

/** The part of one window that belongs to this process. */
interface WindowShare {
  readonly limit: number
  readonly reset: number
  /** How many requests of the process had left in all when the window began. */
  readonly from: number
  /** How many have left in all when its part is used up. */
  readonly until: number
  /** What the others had used at the last response, where the window began in the outage. */
  readonly usedByOthers: number | undefined
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

  return {
    get othersKeepParts() {
      return othersKeepParts
    },
    count: (requests) => {
      sent += requests
    },
    limitWindows: (record, processes, now) => {
      const held = countInFlight(record)
      const partOf = (limit: number) => Math.floor(limit / processes)
      const usedSince = (from: number, { limit, remaining }: GateWindow) => limit - remaining - (sent - from - held)
      const shareOf = (window: GateWindow): WindowShare => {
        const { limit, reset, remaining } = window
        const known = shares.find((share) => share.limit === limit)
        if (known && reset <= known.reset + resetTolerance) {
          return known.usedByOthers === undefined ? known : { ...known, usedByOthers: usedSince(known.from, window) }
        }
        const from = sentBefore ?? sent
        const isNew = known !== undefined && limit > 0
        const usedByOthers = isNew ? usedSince(from, window) : undefined
        const isWhole = usedByOthers !== undefined && usedByOthers <= limit - partOf(limit)
        const until = isWhole ? from + partOf(limit) : sent + Math.floor(remaining / processes) - held
        return { limit, reset, from, until, usedByOthers }
      }
      shares = record.windows.map(shareOf)
      const used = shares.flatMap(({ limit, usedByOthers }) =>
        usedByOthers === undefined ? [] : usedByOthers / (limit - partOf(limit)),
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

/** The view of a process that has lost the store. */
interface Caution {
  /**
   * @param limited - the record with the process's part of each window
   * @param known - the same record with all that is left
   * @param cutOffAt - since when the process knows nothing of the others (epoch ms)
   * @param othersKeepParts - whether they seem to be without the store, too
   */
  readonly holdBack: (
    limited: GateRecord,
    known: GateRecord,
    processes: number,
    cutOffAt: number,
    othersKeepParts: boolean,
    now: number,
  ) => GateRecord
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
  const seen = new Map<number, GateWindow & { readonly sent: number; readonly at: number }>()
  let pauseUntil = 0
  /** When it could look into a window of which it has not heard since (epoch ms). */
  let lookedAt = -Infinity

  function watchOthers(window: GateWindow, processes: number, now: number): void {
    const { limit, reset, remaining } = window
    const before = seen.get(limit)
    const isSame = before !== undefined && Math.abs(reset - before.reset) <= resetTolerance
    if (isSame && remaining === before.remaining) return
    seen.set(limit, { ...window, sent, at: now })
    if (before === undefined) return
    const usedByOthers = before.remaining - remaining - (sent - before.sent)
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
    holdBack: (limited, known, processes, cutOffAt, othersKeepParts, now) => {
      const held = countInFlight(limited)
      forgetOthersThan(known.windows)
      const windows = limited.windows.map((window, index): GateWindow => {
        const { remaining, resetAt } = window
        const looksAt = resetAt + (othersKeepParts ? 0 : lookTime)
        // One request looks, also after a window that ended with units left.
        if (resetAt <= now && now < looksAt) return { ...window, remaining: 0, resetAt: looksAt }
        if (resetAt <= now) {
          lookedAt = now
          return { ...window, remaining: 0 }
        }
        const whole = known.windows[index] ?? window
        if (!othersKeepParts) watchOthers(whole, processes, now)
        if (now < pauseUntil) return { ...window, remaining: 0, resetAt: Math.min(resetAt, pauseUntil) }
        const parts = othersKeepParts ? outageParts : cautiousParts
        // After a pause, one request finds out what the others have left.
        const isOutdated = !othersKeepParts && (seen.get(window.limit)?.at ?? now) < pauseUntil
        const atOnce = isOutdated ? 1 : Math.max(1, Math.floor(whole.remaining / (processes * parts)))
        return { ...window, remaining: Math.min(remaining, Math.max(held, atOnce)) }
      })
      const { cooldownStartedAt, cooldownUntil } = limited
      const wasRefused = cooldownStartedAt >= cutOffAt
      const wait = Math.min(maxRefusalWait, refusalWait * (cooldownUntil - cooldownStartedAt))
      return { ...limited, windows, maxInFlight: 1, cooldownUntil: cooldownUntil + (wasRefused ? wait : 0) }
    },
  }
}

/** The pace of one of several processes that do not know of each other. */
export function dividePace(pace: CustomRate, processes: number): CustomRate {
  return processes > 1 ? { ...pace, limit: Math.max(1, Math.floor(pace.limit / processes)) } : pace
}
