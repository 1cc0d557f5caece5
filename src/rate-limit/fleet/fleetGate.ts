import { isRefusal } from '../gate.ts'
import { type DrainResult, drain } from '../drain.ts'
import { countInFlight, expire, liveWindows, removeInFlight } from '../windows.ts'
import { isOutage, isUnexplainedFailure } from '../failures.ts'
import { type GateRecord, rebaseAfterClockRollback } from '../GateRecord.ts'
import type { EndedRequest, PageGate, PageGateOptions } from '../pageGate.ts'
import type { RateLimitHeaders } from '../rateLimitHeaders.ts'
import type { QueuedRequest } from '../requestQueue.ts'
import { allotmentSize, hasRivals } from './allotmentSize.ts'
import { createHeldUnits, noAllotment, type ProposedAllotment } from './heldUnits.ts'
import { holdUnits, renewalTime, renewLeases, spendOthers } from './leases.ts'
import { createOutageShare, dividePace } from './outageShare.ts'
import { createRecentUsage } from './recentUsage.ts'

/** How long requests join one batch, in ms. What a batch holds too much, after a merge, is lost soon after its end. */
const batchLength = 10_000
/** How long a process holds units ahead of its requests, in ms: it takes new ones when it renews its leases. */
const allotmentTime = renewalTime
/** How long a response waits for others, in ms, where the process holds no units ahead. */
const gatherTime = 100

interface FleetResult<Request extends QueuedRequest> extends DrainResult<Request> {
  /** What the process holds ahead once the decision is stored; `undefined` where it was made without the store. */
  readonly allotment?: ProposedAllotment
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
  const { clock, pace, queue, sent, isCutOff } = options
  const share = createOutageShare()
  const held = createHeldUnits(clock.monotonic)
  const usage = createRecentUsage(allotmentTime, clock.monotonic)
  let page = ''
  let batch = ''
  let batchEndsAt = 0
  /** When the store was updated last, in ms of the monotonic clock. */
  let updatedAt = 0

  function drainQueue(record: GateRecord, now: number, count = 1): DrainResult<Request> {
    const monotonicNow = clock.monotonic()
    return drain(queue, record, {
      now,
      monotonicNow,
      pace: dividePace(pace, count),
      page,
      inFlight: sent.count,
      batch: monotonicNow < batchEndsAt ? batch : undefined,
      holdsAhead: true,
    })
  }

  function takeUnits(result: DrainResult<Request>, now: number): FleetResult<Request> {
    const { record, batch: joined, admitted, refusals } = result
    const isRoom = joined !== undefined && refusals.size === 0
    const count = isRoom ? allotmentSize(record, page, usage.total() + admitted.length, now, pace) : 0
    if (joined === undefined || count === 0) return { ...result, allotment: held.propose(noAllotment) }
    const allotment = held.propose({ batch: joined, count, until: clock.monotonic() + allotmentTime })
    return { ...result, record: holdUnits(record, joined, count, now), allotment }
  }

  function decide(stored: GateRecord, now: number): FleetResult<Request> {
    const own = new Set([...sent.batches, held.batch])
    const renewed = renewLeases(expire(rebaseAfterClockRollback(stored, now), now, pace), own, now)
    const record = removeInFlight(renewed, held.batch, held.unused)
    const count = countProcesses()
    if (count <= 1) {
      share.end()
      return takeUnits(drainQueue(record, now), now)
    }
    const known = isCutOff() ? spendOthers(record, own, now, pace) : record
    const result = drainQueue(share.limitWindows(known, count), now, count)
    const windowsAsKnown = { ...result.record, windows: known.windows }
    return { ...result, record: windowsAsKnown, allotment: held.propose(noAllotment) }
  }

  function decideAlone(stored: GateRecord, now: number): FleetResult<Request> | undefined {
    const waiting = queue.user.requests.size + queue.background.requests.size
    const known = expire(rebaseAfterClockRollback(stored, now), now, pace)
    const inStore = known.inFlight[held.batch]?.count ?? 0
    if (waiting > Math.min(inStore, held.available()) || countProcesses() > 1) return undefined
    if (liveWindows(known, now).length === 0 || hasRivals(known, page, now)) return undefined
    const result = drainQueue(removeInFlight(known, held.batch, waiting), now)
    return result.admitted.length < waiting ? undefined : { ...result, batch: held.batch }
  }

  /** Nothing else is under way, and there is seldom more than one call. */
  function mayExit(): boolean {
    return sent.count === 0 && usage.total() <= 1
  }

  function gatherTimeOf(stored: GateRecord, record: GateRecord, ended: EndedRequest, now: number): number {
    if (mayExit() || mustBeKnown(stored, record, ended, now) || countProcesses() > 1) return 0
    return held.available() > 0 ? allotmentTime : gatherTime
  }

  return {
    enter: (id) => {
      page ||= id
    },
    decide: (record, now) => {
      const result = decide(record, now)
      held.begin(result.allotment)
      return result
    },
    preview: decide,
    join: (result: FleetResult<Request>) => {
      const { batch: next = '' } = result
      if (next !== batch) {
        batch = next
        batchEndsAt = clock.monotonic() + batchLength
      }
      if (!result.allotment) {
        held.use(result.admitted.length)
        return next
      }
      held.commit(result.allotment)
      updatedAt = clock.monotonic()
      return next
    },
    fleet: {
      decideAlone,
      count: (requests) => {
        share.count(requests)
        usage.count(requests)
      },
      gatherTimeOf,
      mayExit,
      updateAt: (now) =>
        sent.count + held.unused === 0 ? Infinity : now + updatedAt + renewalTime - clock.monotonic(),
    },
  }
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
