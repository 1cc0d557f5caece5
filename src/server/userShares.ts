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
 * Each user may take one of the spare units, whoever comes first. Of the units of an equal share no user can keep more than
 * a steady use of it would need until the end of the window: what light users leave goes to the others little by little. A user who has used nothing gets one unit as long as any
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
  /** When a user who may take none may ask again (epoch ms): when others keep less, or else at the end of the window. */
  readonly nextAt: (user: User, left: number, now: number) => number | undefined
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

/** The part of a user of the units that are left. */
interface Share {
  /** Rounded down. */
  readonly level: number
  readonly spare: number
  /** Whether units are kept for others that the user gets later if they are not asked for. */
  readonly isKept: boolean
}

interface UserGroup {
  readonly used: number
  readonly users: number
  readonly held: number
}

/** How long a user counts after the last call, in ms. */
const activeTime = 10_000

/** One user in so many is added for newcomers. */
const newcomers = 9

/** How many active users count, and how many who are gone are remembered: those seen last. */
const maxUsers = 10_000

/** How long users who are gone are remembered where no window says when their use is over, in ms. */
const idleTime = 60_000

/** Far below one unit. */
const rounding = 1e-9

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
  /** The shares computed last, until somebody comes, goes or uses a unit. */
  let computed = { left: 0, held: 0, shares: new Map<string, Share>() }
  let totalUsed = 0
  let window: KnownWindow = { limit: undefined, resetAt: undefined }
  /** Epoch ms. */
  let knownSince = 0

  function count(used: number, users: 1 | -1): void {
    computed.shares.clear()
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

  /** How many units a user may keep who does not ask for them: fewer and fewer, as for a steady use of an equal share. */
  function maxHeld(left: number, users: number, now: number): number {
    const { resetAt } = window
    if (resetAt === undefined) return Infinity
    const part = Math.min(1, Math.max(0, (resetAt - now) / (resetAt - knownSince)))
    return Math.max(1, Math.ceil((part * (left + totalUsed)) / users))
  }

  /** @param others - how many others have used so many units, and how many of what is left they keep at most */
  function computeShare(left: number, used: number, others: readonly UserGroup[]): Share {
    const groups = [...others, { used, users: 1, held: Infinity }]
    const level = levelOf(left, groups)
    const whole = Math.floor(level)
    const keptBy = (group: UserGroup) => Math.min(group.held, Math.max(0, whole - group.used)) * group.users
    const below = others.reduce((sum, group) => sum + (group.used < whole ? group.users : 0), 0)
    const kept = others.reduce((sum, group) => sum + keptBy(group), 0)
    const forNewcomers = hasNewcomers ? level / newcomers : 0
    const spare = Math.floor(left - forNewcomers + rounding) - kept - Math.max(0, whole - used)
    return { level: whole, spare: Math.max(0, spare), isKept: kept > below }
  }

  /** The level at which users below it take what is left. */
  function levelOf(left: number, groups: readonly UserGroup[]): number {
    const steps = groups.flatMap(({ used, users, held }) => [
      [used, users] as const,
      ...(held < Infinity ? [[used + held, -users] as const] : []),
    ])
    let growing = hasNewcomers ? 1 / newcomers : 0
    let level = 0
    let taken = 0
    for (const [next, users] of steps.sort(([one], [other]) => one - other)) {
      if (growing > 0 && taken + growing * (next - level) >= left) break
      taken += growing * (next - level)
      level = next
      growing += users
    }
    return level + (left - taken) / growing + rounding
  }

  /** The units that the user has used, and gets, where all others keep what they may. */
  function look(user: User, left: number, now: number): Share & { readonly used: number } {
    expire(now)
    const usage = active.get(user)
    const { used } = usage ?? idle.get(user) ?? { used: 0 }
    const held = maxHeld(left, active.size + (usage ? 0 : 1), now)
    if (computed.left !== left || computed.held !== held) computed = { left, held, shares: new Map() }
    const key = `${used} ${usage !== undefined}`
    const share =
      computed.shares.get(key) ??
      computeShare(
        left,
        used,
        [...usersByUse].map(([use, users]) => ({ used: use, users: usage && use === used ? users - 1 : users, held })),
      )
    computed.shares.set(key, share)
    if (share.level >= (promised.get(user) ?? Infinity)) promised.delete(user)
    return { used, ...share }
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
        computed.shares.clear()
        promised.clear()
        idle.clear()
        usersByUse.clear()
        for (const usage of active.values()) usage.used = 0
        if (active.size > 0) usersByUse.set(0, active.size)
        window = { limit: undefined, resetAt: undefined }
      }
      if (next.resetAt === undefined) return
      if (window.resetAt === undefined) knownSince = now
      window = next
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
    nextAt: (user, left, now) => {
      const { isKept } = look(user, left, now)
      const { resetAt } = window
      if (resetAt === undefined || !isKept) return resetAt
      return Math.min(resetAt, now + (resetAt - knownSince) / Math.max(1, (left + totalUsed) / active.size))
    },
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
  /** The units that each user may take, by the record. */
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
  /** When a user who may take none may ask again (epoch ms); `undefined` where that is unknown. */
  readonly nextAt: (user: User) => number | undefined
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
        nextAt: (user) => shares.nextAt(user, left, time),
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
  nextAt: () => undefined,
  tell: () => Infinity,
  divide: () => () => true,
}
