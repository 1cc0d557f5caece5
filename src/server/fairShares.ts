import { type CreateSharing, unknownRateLimit } from '../client/clientRateLimit.ts'
import { createBoundedCache } from '../base/boundedCache.ts'
import type { Hold } from '../rate-limit/gate.ts'
import type { GateRecord } from '../rate-limit/GateRecord.ts'
import type { PendingRequest } from '../rate-limit/pendingRequest.ts'
import { minute } from '../rate-limit/plan.ts'
import { countInFlight, liveWindows } from '../rate-limit/windows.ts'
import type { SharedGate } from '../rate-limit/rateLimiter.ts'
import { QueueFullError } from './HandlerError.ts'
import { type RateLimitState, rateLimitState } from '../rate-limit/rateLimitState.ts'
import type { Sharing } from '../rate-limit/requestQueue.ts'

/** The id that `authorize` returned; `undefined` for the calls of the server itself. */
export type User = string | undefined

export interface FairSharesOptions {
  /** Whether `authorize` tells users apart. Then units are kept for users who have not come yet. */
  readonly hasUsers: boolean
  /** How many calls may wait for one key. */
  readonly maxQueued: number
}

/** How many keys `rateLimitOf` remembers. */
const maxKeys = 100
/** How many requests of one user may be in flight, so that one user's hanging requests do not exhaust the server. */
const maxInFlightPerUser = 100
/** How long a user stays active after a call, in ms. Users who are active have a share. */
const activeTime = 10_000
/** How long a user stays active after the time at which a retry may succeed, in ms. */
const returnTime = 2_000
/** A user who has to wait longer than this does not stay active meanwhile. In ms. */
const maxAbsence = 2 * minute
/** From this number of users on, those who are not active are forgotten, to save memory. */
const maxUsers = 10_000

/** Divides the quota of each key among the users of a handler. */
export function createFairShares(options: FairSharesOptions) {
  const { values, set } = createBoundedCache<KeyShares & { readonly size: number }>(maxKeys)
  const createSharing: CreateSharing = (gate, key) => {
    const shares = createKeyShares(gate, options)
    set(key ?? '', { ...shares, size: 1 })
    return shares
  }
  /** The quota of a key as it is for one user. */
  const rateLimitOf = (user: User, key: string | undefined): RateLimitState =>
    values.get(key ?? '')?.rateLimitOf(user) ?? unknownRateLimit
  return { createSharing, rateLimitOf }
}

interface KeyShares extends Sharing {
  readonly rateLimitOf: (user: User) => RateLimitState
}

/** What a user has sent, and until when the user has a share. */
interface Usage {
  /** Units taken of the current window. */
  used: number
  inFlight: number
  /** The turn of the user's next call, by priority. */
  readonly nextTurn: Record<PendingRequest['priority'], number>
  /** Until when the user is active (epoch ms). */
  activeUntil: number
}

/**
 * Users take turns: the first call of each user goes before the second call of any other (start-time fair queueing with calls
 * of one size).
 *
 * The limit of a window is divided into equal shares, one for each active user and one for a newcomer. A user may take
 * more than the share, but no units that are kept for others: what each has not used of the share (for the newcomer a
 * tenth of the limit at most). Fewer are kept as the window goes on, at last one for the newcomer. From a user above the
 * share, one unit more is kept for each of the others, so that users stay about equal even if a share is few units.
 */
function createKeyShares(gate: SharedGate, { hasUsers, maxQueued }: FairSharesOptions): KeyShares {
  const { clock, pace, record, waiting } = gate
  /** How many users who have not come yet have a share: one or none. */
  const newcomers = Number(hasUsers)
  const users = new Map<User, Usage>()
  /** The latest turn of which a request has left, by priority. */
  const turns = { user: 0, background: 0 }
  /** When the window ends that `used` counts (epoch ms); `undefined` while that is unknown. */
  let windowEnd: number | undefined

  function usageOf(user: User): Usage {
    const usage = users.get(user) ?? { used: 0, inFlight: 0, nextTurn: { user: 0, background: 0 }, activeUntil: 0 }
    users.set(user, usage)
    return usage
  }

  function keepActive(user: User, until: number, now: number): void {
    const usage = usageOf(user)
    if (until - now < maxAbsence) usage.activeUntil = Math.max(usage.activeUntil, until)
  }

  /** Resets the counts once the window has ended. Then, or if users are too many, forgets those who are not active. */
  function expireUsage(now: number): void {
    const hasEnded = windowEnd !== undefined && now >= windowEnd
    if (!hasEnded && users.size <= maxUsers) return
    if (hasEnded) windowEnd = undefined
    for (const [user, usage] of users) {
      if (hasEnded) usage.used = 0
      if (usage.inFlight === 0 && usage.activeUntil <= now) users.delete(user)
    }
  }

  /** Divides the window with the fewest units left. Returns `undefined` while no limit is known. */
  function readShares(known: GateRecord, now: number) {
    const inFlight = countInFlight(known)
    const [window] = [...liveWindows(known, now)].sort((one, other) => one.remaining - other.remaining)
    expireUsage(now)
    // A later response may state the same end a little earlier.
    if (window) windowEnd = Math.min(windowEnd ?? Infinity, window.resetAt)
    if (!window || window.limit === 0) return undefined
    const { limit, remaining, resetAt, minLength } = window
    const active = [...users.values()].filter((usage) => usage.inFlight > 0 || usage.activeUntil > now)
    const share = Math.max(1, Math.floor(limit / Math.max(1, active.length + newcomers)))
    const keptForNewcomer = newcomers * Math.min(share, Math.floor(limit / 10))
    const unusedBelow = (target: number) => active.reduce((sum, { used }) => sum + Math.max(0, target - used), 0)
    /** Units kept, at the start of a window, from a user who has used just the share, and from one above it. */
    const kept = [keptForNewcomer + unusedBelow(share), keptForNewcomer + unusedBelow(share + 1)] as const
    const usersAtShare = active.filter(({ used }) => used >= share).length
    const timeFractionLeft = minLength > 0 ? Math.min(1, (resetAt - now) / minLength) : 1
    return {
      unitsLeft: Math.max(0, remaining - inFlight),
      share,
      activeUsers: active.length,
      resetAt,
      kept,
      /** How many of the units left are kept for nobody. */
      spareOf: (unitsLeft: number, keptUnits: number) =>
        unitsLeft - Math.max(newcomers, Math.ceil(keptUnits * timeFractionLeft)),
      /** When so few units are kept that each user who has used up the share may take one more (epoch ms). */
      spareAt: (unitsLeft: number, keptUnits: number) => {
        const mayBeKept = unitsLeft - Math.max(newcomers, usersAtShare)
        const until = mayBeKept > 0 && keptUnits > 0 ? resetAt - (minLength * mayBeKept) / keptUnits : resetAt
        return Math.min(resetAt, Math.max(now + 1_000, Math.ceil(until)))
      },
    }
  }

  function beginDecision(known: GateRecord, now: number): (request: PendingRequest) => Hold | undefined {
    const shares = readShares(known, now)
    /** How many requests of each user this decision lets leave. */
    const admitted = new Map<User, number>()
    let { unitsLeft = 0, kept: [kept, keptMore] = [0, 0] } = shares ?? {}
    return ({ userId }) => {
      const usage = usageOf(userId)
      const admittedNow = admitted.get(userId) ?? 0
      const inFlight = usage.inFlight + admittedNow
      if (inFlight >= maxInFlightPerUser) return { reason: 'probe', until: Infinity, isEarliest: true } // one must end
      const overShare = shares ? usage.used + admittedNow - shares.share : 0
      const keptForOthers = overShare > 0 ? keptMore : kept
      if (shares && overShare >= 0 && shares.spareOf(unitsLeft, keptForOthers) <= 0) {
        const until = shares.spareAt(unitsLeft, keptForOthers)
        keepActive(userId, until + returnTime, now)
        return { reason: 'used-up', until, isEarliest: true }
      }
      // Below the share, and one unit above it, the unit was among those that were kept for this user.
      if (overShare < 0) kept -= 1
      if (overShare < 1) keptMore -= 1
      unitsLeft -= 1
      admitted.set(userId, admittedNow + 1)
      return undefined
    }
  }

  return {
    rankOf: ({ userId, priority, isRetry, deadline }) => {
      const now = clock.now()
      const usage = usageOf(userId)
      const leavesBy = deadline - clock.monotonic() + now // epoch ms; `keepActive` ignores times from `maxAbsence` on
      keepActive(userId, Math.max(now + activeTime, Math.min(leavesBy, now + maxAbsence - 1)), now)
      // The call of a retry has had its turn, so the retry need not wait for another.
      if (isRetry) return turns[priority]
      const turn = Math.max(turns[priority], usage.nextTurn[priority])
      usage.nextTurn[priority] = turn + 1
      return turn
    },
    beginDecision,
    recordSent: ({ userId, priority, rank }) => {
      turns[priority] = Math.max(turns[priority], rank)
      const usage = usageOf(userId)
      usage.used += 1
      usage.inFlight += 1
      return () => (usage.inFlight -= 1)
    },
    makeRoom: () => {
      const all = [...waiting()]
      if (all.length <= maxQueued) return undefined
      const counts = new Map<User, number>()
      for (const { userId } of all) counts.set(userId, (counts.get(userId) ?? 0) + 1)
      // The user with the most calls makes room, not the one who comes last.
      const [userOfMost] = [...counts].reduce((one, other) => (other[1] >= one[1] ? other : one))
      const queued = all.filter(({ userId }) => userId === userOfMost)
      const rejected = queued.findLast(({ priority }) => priority === 'background') ?? queued.at(-1)
      const now = clock.now()
      rejected?.reject(new QueueFullError(Math.max(record().cooldownUntil, now + 1_000), now))
      return rejected
    },
    rateLimitOf: (user) => {
      const now = clock.now()
      const known = record()
      const state = rateLimitState(known, now, pace)
      const shares = readShares(known, now)
      if (!shares) return state
      const { unitsLeft, kept, share, spareOf, resetAt, activeUsers } = shares
      const { used } = usageOf(user)
      const ownUnits = Math.max(0, share - used)
      const keptForOthers = used > share ? kept[1] : kept[0] - ownUnits
      const spareUnits = Math.floor(spareOf(unitsLeft, keptForOthers) / Math.max(1, activeUsers))
      const queued = [...waiting()].filter(({ userId }) => userId === user).length
      const remaining = Math.max(0, Math.min(unitsLeft, Math.max(ownUnits, spareUnits)) - queued)
      if (remaining === 0) keepActive(user, resetAt + returnTime, now) // a page that is told 0 comes back then
      return { ...state, remaining }
    },
  }
}
