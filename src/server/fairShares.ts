import { type CreateSharing, unknownRateLimit } from '../client/clientRateLimit.ts'
import { createBoundedCache } from '../base/boundedCache.ts'
import type { Hold } from '../rate-limit/gate.ts'
import type { GateRecord } from '../rate-limit/GateRecord.ts'
import type { PendingRequest } from '../rate-limit/pendingRequest.ts'
import { minute } from '../rate-limit/plan.ts'
import { countInFlight, liveWindows } from '../rate-limit/windows.ts'
import type { SharedGate } from '../rate-limit/rateLimiter.ts'
import { type RateLimitState, rateLimitState } from '../rate-limit/rateLimitState.ts'
import type { Sharing } from '../rate-limit/requestQueue.ts'

/** The id that `authorize` returned; `undefined` for the calls of the server itself. */
export type User = string | undefined

export interface FairSharesOptions {
  /** Whether there are several users, for whom units are left over. */
  readonly hasUsers: boolean
  /** How many calls may wait for one key. */
  readonly maxQueued: number
}

/** How many keys are remembered. */
const maxKeys = 100
/** How many requests of one user may be in flight: hung ones must not be all that the server does. */
const maxInFlightPerUser = 100
/** How long a user counts after the last call, and after the time at which it was told to come back. In ms. */
const activeTime = 10_000
const returnTime = 2_000
/** A user who was told to come back later than that does not count until then, in ms. */
const maxAbsence = 2 * minute
/** More users than that are forgotten when they do not count. */
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

/** What is known of a user. */
interface Usage {
  /** Units of the window. */
  used: number
  inFlight: number
  /** The turns of the next calls. */
  readonly next: Record<PendingRequest['priority'], number>
  /** Until when the user counts (epoch ms). */
  activeUntil: number
}

/**
 * Users take turns: of each user the first call goes before the second of all others (start-time fair queueing with calls of
 * one size).
 *
 * A user's share of a window is an even part of the limit, with one part for whoever comes next. Beyond it a user takes what
 * is not kept. Kept is what the other active users have not used of their shares, and of the share of whoever comes next as
 * much as a tenth of the limit; all of it less and less until the window ends, but one unit. For whoever has had one unit
 * more than the share, all shares are one larger: so users are equal where a share is few units.
 */
function createKeyShares(gate: SharedGate, { hasUsers, maxQueued }: FairSharesOptions): KeyShares {
  const { clock, pace, record, waiting } = gate
  /** For how many users units are left over who have not come yet. */
  const newcomers = Number(hasUsers)
  const users = new Map<User, Usage>()
  /** The turns of the requests that left last. */
  const turns = { user: 0, background: 0 }
  /** When the window ends whose use is counted (epoch ms), where that is known. */
  let endsAt: number | undefined

  function usageOf(user: User): Usage {
    const usage = users.get(user) ?? { used: 0, inFlight: 0, next: { user: 0, background: 0 }, activeUntil: 0 }
    users.set(user, usage)
    return usage
  }

  function expect(user: User, until: number, now: number): void {
    const usage = usageOf(user)
    if (until - now < maxAbsence) usage.activeUntil = Math.max(usage.activeUntil, until)
  }

  /** Forgets what was used of a window that has ended, and who does not count any more. */
  function forget(now: number): void {
    const isOver = endsAt !== undefined && now >= endsAt
    if (!isOver && users.size <= maxUsers) return
    if (isOver) endsAt = undefined
    for (const [user, usage] of users) {
      if (isOver) usage.used = 0
      if (usage.inFlight === 0 && usage.activeUntil <= now) users.delete(user)
    }
  }

  /** How the window with the fewest units is divided. */
  function readShares(known: GateRecord, now: number) {
    const inFlight = countInFlight(known)
    const [window] = [...liveWindows(known, now)].sort((one, other) => one.remaining - other.remaining)
    forget(now)
    // Responses may tell the same end a little earlier.
    if (window) endsAt = Math.min(endsAt ?? Infinity, window.resetAt)
    if (!window || window.limit === 0) return undefined
    const { limit, remaining, resetAt, length } = window
    const active = [...users.values()].filter((usage) => usage.inFlight > 0 || usage.activeUntil > now)
    const share = Math.max(1, Math.floor(limit / Math.max(1, active.length + newcomers)))
    const forNewcomer = newcomers * Math.min(share, Math.floor(limit / 10))
    const unused = (target: number) => active.reduce((sum, { used }) => sum + Math.max(0, target - used), 0)
    /** What is kept at the start of a window for users below the share, and for those below one unit more. */
    const kept = [forNewcomer + unused(share), forNewcomer + unused(share + 1)] as const
    const beyond = active.filter(({ used }) => used >= share).length
    const part = length > 0 ? Math.min(1, (resetAt - now) / length) : 1
    return {
      left: Math.max(0, remaining - inFlight),
      share,
      users: active.length,
      resetAt,
      kept,
      spareOf: (left: number, keptUnits: number) => left - Math.max(newcomers, Math.ceil(keptUnits * part)),
      /** When each of those who have had their share may take one more unit. */
      freeAt: (left: number, keptUnits: number) => {
        const rest = left - Math.max(newcomers, beyond)
        const until = rest > 0 && keptUnits > 0 ? resetAt - (length * rest) / keptUnits : resetAt
        return Math.min(resetAt, Math.max(now + 1_000, Math.ceil(until)))
      },
    }
  }

  function divide(known: GateRecord, now: number): (request: PendingRequest) => Hold | undefined {
    const shares = readShares(known, now)
    /** Those that leave by this decision. */
    const given = new Map<User, number>()
    let { left = 0, kept: [kept, keptMore] = [0, 0] } = shares ?? {}
    return ({ userId }) => {
      const usage = usageOf(userId)
      const own = given.get(userId) ?? 0
      if (usage.inFlight + own >= maxInFlightPerUser) return { reason: 'probe', until: Infinity, isEarliest: true }
      const beyond = shares ? usage.used + own - shares.share : 0
      const others = beyond > 0 ? keptMore : kept
      if (shares && beyond >= 0 && shares.spareOf(left, others) <= 0) {
        const until = shares.freeAt(left, others)
        expect(userId, until + returnTime, now)
        return { reason: 'used-up', until, isEarliest: true }
      }
      if (beyond < 0) kept -= 1
      if (beyond < 1) keptMore -= 1
      left -= 1
      given.set(userId, own + 1)
      return undefined
    }
  }

  return {
    rankOf: ({ userId, priority, isRetry, deadline }) => {
      const now = clock.now()
      const usage = usageOf(userId)
      const leavesBy = deadline - clock.monotonic() + now
      expect(userId, Math.max(now + activeTime, Math.min(leavesBy, now + maxAbsence - 1)), now)
      // A retry has had its turn.
      if (isRetry) return turns[priority]
      const turn = Math.max(turns[priority], usage.next[priority])
      usage.next[priority] = turn + 1
      return turn
    },
    divide,
    leave: ({ userId, priority, rank }) => {
      turns[priority] = Math.max(turns[priority], rank)
      const usage = usageOf(userId)
      usage.used += 1
      usage.inFlight += 1
      return () => (usage.inFlight -= 1)
    },
    excess: () => {
      const all = [...waiting()]
      if (all.length <= maxQueued) return undefined
      const counts = new Map<User, number>()
      for (const { userId } of all) counts.set(userId, (counts.get(userId) ?? 0) + 1)
      // The user who fills the queue makes room, not the one who comes last.
      const [fullest] = [...counts].reduce((one, other) => (other[1] >= one[1] ? other : one))
      const own = all.filter(({ userId }) => userId === fullest)
      return own.findLast(({ priority }) => priority === 'background') ?? own.at(-1)
    },
    rateLimitOf: (user) => {
      const now = clock.now()
      const known = record()
      const state = rateLimitState(known, now, pace)
      const shares = readShares(known, now)
      if (!shares) return state
      const { left, kept, share, spareOf, resetAt } = shares
      const { used } = usageOf(user)
      const own = Math.max(0, share - used)
      const others = used > share ? kept[1] : kept[0] - own
      const free = Math.floor(spareOf(left, others) / Math.max(1, shares.users))
      const queued = [...waiting()].filter(({ userId }) => userId === user).length
      const remaining = Math.max(0, Math.min(left, Math.max(own, free)) - queued)
      if (remaining === 0) expect(user, resetAt + returnTime, now)
      return { ...state, remaining }
    },
  }
}
