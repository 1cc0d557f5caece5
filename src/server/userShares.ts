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
 *     units of a user = level, rounded down − units used by the user
 *     spare units = units left − level/9, rounded down − the units of all users
 *
 * Each user may take one of the spare units, whoever comes first. A user who has used nothing gets one unit as long as any
 * is left. Nobody's share changes when others use theirs. It changes when users come and go, or use more than was theirs.
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
  /** How many of the units that are left the user may take, and one more if a spare unit was promised to the user. */
  readonly unitsOf: (user: User, left: number, now: number) => number
  /** How many spare units nobody was promised; 0 for a user who has had one, or was promised one. */
  readonly spareFor: (user: User, left: number, now: number) => number
  /** Keeps a spare unit for a user, as long as the user is active. Does nothing if there is none. */
  readonly promiseSpare: (user: User, left: number, now: number) => void
}

/** The window of the quota, as far as it is known. */
type KnownWindow = Pick<RateLimitState, 'limit' | 'resetAt'>

interface Usage {
  used: number
  /** Epoch ms. */
  lastSeen: number
}

/** What each user gets of the units that are left. */
interface Share {
  readonly left: number
  readonly absent: number | undefined
  /** Rounded down. */
  readonly level: number
  readonly spare: number
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
  /** How many units those users may use in all for whom a spare unit is kept. */
  const promised = new Map<User, number>()
  /** The last one computed, until somebody comes, goes or uses a unit. */
  let share: Share | undefined
  let totalUsed = 0
  let window: KnownWindow = { limit: undefined, resetAt: undefined }

  function count(used: number, users: 1 | -1): void {
    share = undefined
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
      promised.delete(user)
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
  function computeShare(left: number, absent: number | undefined): Share {
    const uses = new Map(usersByUse)
    if (absent !== undefined) uses.set(absent, (uses.get(absent) ?? 0) + 1)
    let users = 0
    let used = 0
    let level = 0
    for (const [use, sameUse] of [...uses].sort(([one], [other]) => one - other)) {
      if (users > 0 && use >= level) break
      users += sameUse
      used += use * sameUse
      level = hasNewcomers ? (newcomers * (left + used)) / (newcomers * users + 1) : (left + used) / users
    }
    const whole = Math.floor(level)
    let taken = 0
    for (const [use, sameUse] of uses) taken += Math.max(0, whole - use) * sameUse
    for (const [user, total] of promised) if (total <= whole) promised.delete(user)
    const forNewcomers = hasNewcomers ? level / newcomers : 0
    // What is left out for rounding is far below one unit.
    return { left, absent, level: whole, spare: Math.max(0, Math.floor(left - forNewcomers + 1e-9) - taken) }
  }

  function shareOf(left: number, absent: number | undefined): Share {
    if (share?.left !== left || share.absent !== absent) share = computeShare(left, absent)
    return share
  }

  /** What the user has used, and the share of each user. */
  function look(user: User, left: number, now: number): Share & { readonly used: number } {
    expire(now)
    const usage = active.get(user)
    const { used } = usage ?? idle.get(user) ?? { used: 0 }
    return { used, ...shareOf(left, usage ? undefined : used) }
  }

  function spareFor(user: User, left: number, now: number): number {
    const { used, level, spare } = look(user, left, now)
    return promised.has(user) || used > level ? 0 : Math.max(0, spare - promised.size)
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
        share = undefined
        promised.clear()
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
      if (usage.used >= (promised.get(user) ?? Infinity)) promised.delete(user)
    },
    unitsOf: (user, left, now) => {
      const { used, level } = look(user, left, now)
      const own = Math.max(0, level - used)
      const units = Math.min(left, own + (used + own < (promised.get(user) ?? 0) ? 1 : 0))
      return Math.max(units, used === 0 && left > 0 ? 1 : 0)
    },
    spareFor,
    promiseSpare: (user, left, now) => {
      if (active.has(user) && spareFor(user, left, now) > 0) promised.set(user, look(user, left, now).level + 1)
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
  /** What each user may take, by what the record says. */
  readonly units: (record?: GateRecord) => UserUnits
}

/**
 * How many units users may take; infinite where nothing is known, or where there are none to share. While responses are
 * out, the gate counts requests twice that the service has counted already: `left` are there for certain, `most` at best.
 */
export interface UserUnits {
  readonly left: (user: User) => number
  readonly most: (user: User) => number
  /** How many more are there at best for whoever comes first, one for each user. */
  readonly spareFor: (user: User) => number
  /** The units to tell a user: a spare one is kept then. */
  readonly tell: (user: User) => number
  /** Returns a function that divides the units that are there for certain among calls in the order in which they leave. */
  readonly divide: () => (user: User) => boolean
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
      const most = left + underWay
      const time = now()
      return {
        left: (user) => shares.unitsOf(user, left, time),
        most: (user) => shares.unitsOf(user, most, time),
        spareFor: (user) => shares.spareFor(user, most, time),
        tell: (user) => {
          shares.promiseSpare(user, left, time)
          return shares.unitsOf(user, left, time)
        },
        divide: () => {
          const counts = new Map<User, number>()
          let spareTaken = 0
          return (user) => {
            const count = (counts.get(user) ?? 0) + 1
            const missing = count - shares.unitsOf(user, left, time)
            if (missing > 1 || (missing > 0 && spareTaken >= shares.spareFor(user, left, time))) return false
            if (missing > 0) spareTaken += 1
            counts.set(user, count)
            return true
          }
        },
      }
    },
  }
}

const unlimited: UserUnits = {
  left: () => Infinity,
  most: () => Infinity,
  spareFor: () => 0,
  tell: () => Infinity,
  divide: () => () => true,
}
