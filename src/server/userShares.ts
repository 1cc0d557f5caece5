import type { GateRecord } from '../rate-limit/GateRecord.ts'
import type { Permit } from '../rate-limit/pendingRequest.ts'
import type { QueueContext } from '../rate-limit/rateLimiter.ts'
import { type RateLimitState, rateLimitState, toLocalState } from '../rate-limit/rateLimitState.ts'

/** The id that `authorize` returned; `undefined` for the calls of the server itself. */
export type User = string | undefined

/**
 * Who has used how much of the window, and what each user may still use of it.
 *
 * All active users get the same level of use: a user who has used less than the level may send, and the units that are
 * left are just enough to bring everybody up to it (max-min fairness). Users who have used more neither get nor count. One
 * ninth of a user is added for whoever comes next, so that a single user gets nine tenths, and a newcomer finds units:
 *
 *     level = (units left + units used by those below the level) / (users below the level + 1/9)
 *     units of a user = min(units left, level − units used by the user), rounded down
 *
 * A user who has used nothing gets one unit also from a lower level, as long as any is left. Nobody's share changes when others use theirs. It changes when users come and go, or use more than was theirs.
 *
 * A user is active while calls of theirs wait, and for `activeTime` after the last one came.
 */
export interface UserShares {
  /** How many units all users have taken of the window. */
  readonly used: number
  /** Forgets the use of a window that has ended. Call it before the other functions, with the window known now. */
  readonly beginWindow: (window: KnownWindow, now: number) => void
  /** A call of the user has come. */
  readonly touch: (user: User, now: number) => void
  /** Takes a unit. */
  readonly use: (user: User, now: number) => void
  /** How many of the units that are left the user may take. */
  readonly unitsOf: (user: User, left: number, now: number) => number
}

/** The window of the quota, as far as it is known. */
type KnownWindow = Pick<RateLimitState, 'limit' | 'resetAt'>

interface Usage {
  used: number
  /** Epoch ms. */
  lastSeen: number
}

/** How long a user counts after the last call, in ms. */
const activeTime = 10_000

/** One user in so many is added for newcomers. */
const newcomers = 9

/** How many active users count, and how many who are gone are remembered: those seen last. */
const maxUsers = 10_000

/** How long users who are gone are remembered where no window says when their use is over, in ms. */
const idleTime = 60_000

/** A service may announce the end of a window with another second each time, in ms. */
const resetTolerance = 1_000

/**
 * @param hasNewcomers - whether further users may come, for whom units are left over
 * @param isWaiting - whether calls of a user wait
 */
export function createUserShares(hasNewcomers: boolean, isWaiting: (user: User) => boolean = () => false): UserShares {
  /** The least recently seen stands first, here and below. */
  const active = new Map<User, Usage>()
  const idle = new Map<User, Usage>()
  /** How many active users have used so many units. */
  const usersByUse = new Map<number, number>()
  let totalUsed = 0
  let window: KnownWindow = { limit: undefined, resetAt: undefined }

  function count(used: number, users: 1 | -1): void {
    const total = (usersByUse.get(used) ?? 0) + users
    if (total > 0) usersByUse.set(used, total)
    else usersByUse.delete(used)
  }

  function expire(now: number): void {
    for (const [user, usage] of active) {
      const elapsed = now - usage.lastSeen
      // A clock that was set back cannot tell.
      if (active.size <= maxUsers && elapsed >= 0 && elapsed < activeTime) break
      active.delete(user)
      if (active.size < maxUsers && isWaiting(user)) {
        active.set(user, { ...usage, lastSeen: now })
        continue
      }
      count(usage.used, -1)
      if (usage.used > 0) idle.set(user, usage)
    }
    for (const [user, { lastSeen }] of idle) {
      const isOver = window.resetAt === undefined && now - lastSeen >= idleTime
      if (idle.size <= maxUsers && !isOver) break
      idle.delete(user)
    }
  }

  function activate(user: User, now: number): Usage {
    const known = active.get(user)
    const usage = known ?? idle.get(user) ?? { used: 0, lastSeen: now }
    if (!known) count(usage.used, 1)
    usage.lastSeen = now
    idle.delete(user)
    active.delete(user)
    active.set(user, usage)
    expire(now)
    return usage
  }

  /** @param absent - what a user who is not active has used */
  function levelOf(left: number, absent: number | undefined): number {
    const uses = new Map(usersByUse)
    if (absent !== undefined) uses.set(absent, (uses.get(absent) ?? 0) + 1)
    let users = 0
    let total = left
    let level = 0
    for (const [used, sameUse] of [...uses].sort(([one], [other]) => one - other)) {
      if (users > 0 && used >= level) break
      users += sameUse
      total += used * sameUse
      level = hasNewcomers ? (newcomers * total) / (newcomers * users + 1) : total / users
    }
    return level
  }

  return {
    get used() {
      return totalUsed
    },
    beginWindow: (next, now) => {
      const { limit, resetAt = now } = window
      const isKnown = window.resetAt !== undefined
      const isNext = next.resetAt !== undefined && (next.limit !== limit || next.resetAt > resetAt + resetTolerance)
      // What was used before the first window was known belongs to it.
      if (isKnown && (isNext || now >= resetAt)) {
        totalUsed = 0
        idle.clear()
        usersByUse.clear()
        for (const usage of active.values()) usage.used = 0
        if (active.size > 0) usersByUse.set(0, active.size)
        window = { limit: undefined, resetAt: undefined }
      }
      if (next.resetAt !== undefined) window = next
    },
    touch: (user, now) => void activate(user, now),
    use: (user, now) => {
      const usage = activate(user, now)
      count(usage.used, -1)
      usage.used += 1
      totalUsed += 1
      count(usage.used, 1)
    },
    unitsOf: (user, left, now) => {
      expire(now)
      const usage = active.get(user)
      const { used } = usage ?? idle.get(user) ?? { used: 0 }
      const level = levelOf(left, usage ? undefined : used)
      const units = Math.floor(Math.min(left, level - used))
      return Math.max(units, used === 0 && left > 0 ? 1 : 0)
    },
  }
}

/** The quota of one key, as its users share it. */
export interface SharedQuota {
  /** The quota of all users together, by the clock of this machine. */
  readonly state: (record?: GateRecord) => RateLimitState
  /** A call of the user has come. */
  readonly touch: (user: User) => void
  /** A call of the user leaves. */
  readonly use: (user: User, permit: Permit) => Permit
  /**
   * How many units each user may take, by what the record says. While responses are out, the gate counts requests twice
   * that the service has counted already: `left` are there for certain, `most` at best. Infinite where nothing is known, or
   * where there are none to share.
   */
  readonly units: (record?: GateRecord) => UserUnits
}

interface UserUnits {
  readonly left: (user: User) => number
  readonly most: (user: User) => number
}

export function createSharedQuota(
  { clock, pace, latest }: QueueContext,
  hasUsers: boolean,
  isWaiting: (user: User) => boolean,
): SharedQuota {
  const shares = createUserShares(hasUsers, isWaiting)
  const now = () => clock.toLocal(clock.now())
  /** How many units the window had for all users. */
  let capacity = 0
  /** How many requests have no response yet. */
  let underWay = 0

  function state(record = latest()): RateLimitState {
    const known = toLocalState(rateLimitState(record, clock.now(), pace), clock.toLocal)
    shares.beginWindow(known, now())
    return known
  }

  return {
    state,
    touch: (user) => shares.touch(user, now()),
    use: (user, permit) => {
      shares.use(user, now())
      underWay += 1
      let isUnderWay = true
      const release: Permit['release'] = (response) => {
        if (isUnderWay) underWay -= 1
        isUnderWay = false
        return permit.release(response)
      }
      return { ...permit, release }
    },
    units: (record) => {
      const { remaining: certain } = state(record)
      if (certain === undefined) return unlimited
      const total = certain + shares.used
      capacity = underWay === 0 ? total : Math.max(capacity, total)
      // The window is known better from before.
      const left = Math.max(certain, Math.min(capacity - shares.used, certain + underWay))
      if (left <= 0) return unlimited
      const time = now()
      return {
        left: (user) => shares.unitsOf(user, left, time),
        most: (user) => shares.unitsOf(user, left + underWay, time),
      }
    },
  }
}

const unlimited: UserUnits = { left: () => Infinity, most: () => Infinity }
