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
} from './heldUnits.ts'
import { createQuotaPart, dividePace, type RecordView } from './quotaPart.ts'
import { countUsers, recordUsers } from './recordUsers.ts'
import { createAbsence, createOtherPrograms, createStrangers, isLessThanKnown } from './strangers.ts'
import type { Clock } from '../../base/Clock.ts'
import {
  clockTolerance,
  type GateRecord,
  type InFlightBatch,
  mapTimes,
  rebaseAfterClockRollback,
} from '../GateRecord.ts'
import { isRefusal, unitsLeft } from '../gate.ts'
import type { DrainResult } from '../drain.ts'
import { expire, liveWindows, removeInFlight } from '../windows.ts'
import { isOutage, isUnexplainedFailure } from '../failures.ts'
import { hasRivals } from '../turns.ts'
import type { QueuedRequest } from '../requestQueue.ts'
import type { CustomRate } from '../plan.ts'

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
  const part = createQuotaPart({ pace, isCutOff, name: () => name })
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

  function countOthers(now: number): number {
    const count = countProcesses()
    return count <= 1 && isCutOff() ? strangers.count(now) : count
  }

  const ownBatches = () => new Set([...sent.batches, held.batch])

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
    const own = ownBatches()
    const expired = expire(rebaseAfterClockRollback(stored, now), now, pace)
    const lease = leaseOf(expired, name, now)
    isAwaited = hasRivals(expired, name, now)
    const renewed = renewLeases(expired, own, now, lease)
    const record = removeInFlight(renewed, held.batch, held.unused)
    const count = countOthers(now)
    const isAlone = isCutOff()
    const { live, known, aside } = count > 1 ? part.viewOf(record, own, count, now) : viewOfWhole(record, own, now)
    const drained = drainQueue(live, now, count)
    const result = count > 1 ? { ...drained, allotment: held.propose(noAllotment) } : takeUnits(drained, now, lease)
    if (live === record) return { ...result, isAlone }
    const { windows, cooldownUntil, maxInFlight } = known
    const inFlight = { ...aside, ...result.record.inFlight }
    return { ...result, record: { ...result.record, windows, cooldownUntil, maxInFlight, inFlight }, isAlone }
  }

  /** All processes know of each other, or this one knows of no other. */
  function viewOfWhole(record: GateRecord, own: ReadonlySet<string>, now: number): RecordView {
    part.end()
    absence.watch(record, name, now)
    otherPrograms.watch(record, now)
    const left = otherPrograms.leaveUnits(absence.leaveUnits(record), now)
    const [live, aside] = setUnrenewedAside(isCutOff() ? strangers.leaveUnits(left) : left, own, now)
    return { live, known: record, aside }
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
      if (isForStore(result)) part.tell(result.record, ownBatches().add(lastBatch))
      return batch
    },
    fleet: {
      decideAlone,
      count: (requests) => {
        part.count(requests)
        shortUsage.count(requests)
        longUsage.count(requests)
      },
      isCutOff: (result: FleetResult<Request>) => isForStore(result) && isCutOff(),
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

/** Whether a decision holds only if the store has taken it. */
function isForStore({ allotment, isAlone = false }: FleetResult<QueuedRequest>): boolean {
  return allotment !== undefined && !isAlone
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
