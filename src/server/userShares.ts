import { unknownRateLimit } from '../client/clientRateLimit.ts'
import { emptyRecord, type GateRecord, type ProcessUsers } from '../rate-limit/GateRecord.ts'
import { countUntil, type OtherUsers, readOtherUsers } from '../rate-limit/fleet/recordUsers.ts'
import type { Permit } from '../rate-limit/pendingRequest.ts'
import type { QueueContext } from '../rate-limit/rateLimiter.ts'
import { createActiveUsers, type Usage, type User } from './activeUsers.ts'
import { countByLevel, groupsOfOthers, levelOf, partOfSpare, rounding, type UserGroup } from './levelOf.ts'
import { type RateLimitState, rateLimitState, toLocalState } from '../rate-limit/rateLimitState.ts'
import { liveWindows } from '../rate-limit/windows.ts'

/**
 * Who has used how much of the window, and what each user may still use of it.
 *
 * All active users get the same level of use: a user who has used less than the level may send, and the units that are
 * left are just enough to bring everybody up to it (max-min fairness). Users who have used more neither get nor count. One
 * ninth of a user is added for whoever comes next, so that a single user gets nine tenths, and a newcomer finds units. The
 * less of the window is left, the smaller that part: in the last ninth of the window it is a ninth of it.
 *
 *     level = (units left + units used by those below the level) / (users below the level + part)
 *     units of a user = level, rounded down − units used by the user
 *     spare units = units left − level × part, rounded down − the units of all users
 *
 * Each user may take one of the spare units, whoever comes first. Of the units of an equal share no user can keep more than
 * a steady use of it would need until the end of the window: what light users leave goes to the others little by little. A user who has used nothing gets one unit as long as any
 * is left. Nobody's share changes when others use theirs. It changes when users come and go, or use more than was theirs.
 *
 * A user is active while calls of theirs wait, for `activeTime` after the last one came, and until the time at which it was
 * told to come back.
 *
 * In a fleet the users of all processes count. Of those of another process only their number is known, and how much they
 * have used together: each counts as the average. The spare units are divided among processes by the users who may take one.
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
  /** Keeps units that were announced to a user, as long as the user is active, whoever comes. */
  readonly keep: (user: User, units: number) => void
  /** A user without units was told to come back then (epoch ms). It may also come when the window has ended. */
  readonly expect: (user: User, time: number, now: number) => void
  /** When the last of those is gone who were told to come back, at the latest (epoch ms); 0 if nobody was. */
  readonly until: number
  /** The active users, for the other processes of a fleet. */
  readonly count: (left: number, now: number) => Omit<ProcessUsers, 'reset' | 'until'>
}

/** The window of the quota, as far as it is known. */
type KnownWindow = Pick<RateLimitState, 'limit' | 'resetAt'>

/** The part of a user of the units that are left. */
interface Share {
  /** Rounded down. */
  readonly level: number
  /** How many spare units nobody was promised, here or in another process, that may be promised here. */
  readonly spare: number
  /** Whether units are kept for others that the user gets later if they are not asked for. */
  readonly isKept: boolean
}

/** What a process knows of the others. */
interface FleetContext {
  /** Returns their users: the same list as long as nothing has changed. */
  readonly readOthers: () => readonly OtherUsers[]
  /** Returns the id of this process. */
  readonly ownId: () => string
}

const noOthers: readonly OtherUsers[] = []

function usedBy(others: readonly OtherUsers[]): number {
  return others.reduce((sum, { usedWithin, usedBeyond, kept }) => sum + usedWithin + usedBeyond - kept, 0)
}

function keptBy(others: readonly OtherUsers[]): number {
  return others.reduce((sum, { kept }) => sum + kept, 0)
}

/** For newcomers a user in so many is added. Little by little, in as many steps, what they have not used goes to others. */
const newcomers = 9

/** A service may announce the end of a window with another second each time, in ms. */
const resetTolerance = 1_000

/**
 * @param hasNewcomers - whether further users may come, for whom units are left over
 * @param isWaiting - whether calls of a user wait
 * @param fleet - the other processes, if there are any
 */
export function createUserShares(
  hasNewcomers: boolean,
  isWaiting: (user: User) => boolean = () => false,
  { readOthers = () => noOthers, ownId = () => '' }: Partial<FleetContext> = {},
): UserShares {
  /** How many units those users may use in all for whom a spare unit is kept. */
  const promised = new Map<User, number>()
  /** The shares computed last, until somebody comes, goes or uses a unit. */
  let computed = { left: 0, held: 0, steps: 0, others: readOthers(), shares: new Map<string, Share>() }
  const users = createActiveUsers(
    isWaiting,
    () => computed.shares.clear(),
    (user) => promised.delete(user),
  )
  /** The level by which promises were lowered last. */
  let promisedLevel = Infinity
  let totalUsed = 0
  let window: KnownWindow = { limit: undefined, resetAt: undefined }
  /** Epoch ms. */
  let knownSince = 0

  const expire = (now: number) => users.expire(now, window.resetAt !== undefined)

  function activate(user: User, now: number): Usage {
    const usage = users.activate(user, now)
    expire(now)
    return usage
  }

  /** How many units a user may keep who does not ask for them: fewer and fewer, as for a steady use of an equal share. */
  function maxHeld(left: number, count: number, now: number): number {
    if (window.resetAt === undefined) return Infinity
    return Math.max(1, Math.ceil(partLeft(window, knownSince, now) * equalShare(left, count)))
  }

  /**
   * How many of the steps are left in which newcomers lose what is kept for them. Other processes count with other times:
   * together they would give away too much, so among them nothing is lost.
   */
  function stepsLeft(now: number): number {
    if (!hasNewcomers) return 0
    return readOthers().length > 0 ? newcomers : Math.max(1, Math.ceil(partLeft(window, knownSince, now) * newcomers))
  }

  /** The units of the window for each of so many users here, and for those of other processes. */
  function equalShare(left: number, count: number): number {
    const others = readOthers()
    return (left + totalUsed + usedBy(others)) / (count + others.reduce((sum, one) => sum + one.within + one.beyond, 0))
  }

  /** The units that the user has used, and gets, where all others keep what they may. */
  function look(user: User, all: number, now: number): Share & Pick<Usage, 'used' | 'kept'> {
    expire(now)
    const usage = users.get(user)
    const { used, kept } = users.usageOf(user) ?? { used: 0, kept: 0 }
    const held = maxHeld(all, users.size + (usage ? 0 : 1), now)
    const steps = stepsLeft(now)
    const others = readOthers()
    const left = Math.max(0, all - users.kept - keptBy(others))
    if (computed.left !== left || computed.held !== held || computed.steps !== steps || computed.others !== others) {
      computed = { left, held, steps, others, shares: new Map() }
    }
    const key = `${used + kept} ${usage !== undefined}`
    const share = computed.shares.get(key) ?? shareOf(used + kept, usage, steps)
    computed.shares.set(key, share)
    return { used, kept, ...share }
  }

  /**
   * The share at the last look.
   *
   * @param taken - what the user has used, or keeps
   * @param steps - how many are left in which newcomers lose what is kept for them
   */
  function shareOf(taken: number, usage: Usage | undefined, steps: number): Share {
    const { left, held, others } = computed
    const own = users.groups(held).map((group) => {
      return usage && group.used === taken ? { ...group, users: group.users - 1 } : group
    })
    return computeShare(left, taken, [...own, ...groupsOfOthers(others, held)], steps / newcomers ** 2)
  }

  /** When newcomers lose a unit to the user that was kept for them, if nobody comes. */
  function newcomersLoseAt(user: User, all: number, now: number): number {
    const { resetAt = Infinity } = window
    const { used, kept, level } = look(user, all, now)
    for (let steps = computed.steps - 1; steps > 0; steps -= 1) {
      if (shareOf(used + kept, users.get(user), steps).level <= level) continue
      return Math.ceil(resetAt - (steps / newcomers) * (resetAt - knownSince))
    }
    return resetAt
  }

  function spareFor(user: User, left: number, now: number): number {
    const { used, kept, level, spare } = look(user, left, now)
    if (promised.has(user) || used + kept > level) return 0
    forgetPromisesAbove(level)
    const others = readOthers()
    const unpromised = spare - promised.size - others.reduce((sum, one) => sum + one.promised, 0)
    const candidates = countByLevel(users.groups(), level).within - promised.size
    return partOfSpare(Math.max(0, unpromised), Math.max(0, candidates), ownId(), others)
  }

  /** Where the level has fallen since, as others have come, there are other spare units, and perhaps fewer. */
  function forgetPromisesAbove(level: number): void {
    if (promisedLevel === level) return
    promisedLevel = level
    for (const [user, units] of promised) if (units > level + 1) promised.delete(user)
  }

  /** What is used or kept needs no promise. */
  function endPromise(user: User): void {
    const { used, kept } = users.get(user) ?? { used: 0, kept: 0 }
    if (used + kept >= (promised.get(user) ?? Infinity)) promised.delete(user)
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
        promised.clear()
        promisedLevel = Infinity
        users.beginWindow()
        window = { limit: undefined, resetAt: undefined }
      }
      if (next.resetAt === undefined) return
      if (window.resetAt === undefined) knownSince = now
      window = next
    },
    touch: (user, now) => void activate(user, now),
    use: (user, now) => {
      users.use(activate(user, now))
      totalUsed += 1
      endPromise(user)
    },
    unitsOf: (user, left, now) => {
      const { used, kept, level } = look(user, left, now)
      const own = kept + Math.max(0, level - used - kept)
      const units = Math.min(left, own + (used + own < (promised.get(user) ?? 0) ? 1 : 0))
      return Math.max(units, used === 0 && left > 0 ? 1 : 0)
    },
    spareFor,
    nextAt: (user, left, now) => {
      const { isKept } = look(user, left, now)
      const { resetAt } = window
      if (resetAt === undefined) return undefined
      const shareTime = (resetAt - knownSince) / Math.max(1, equalShare(left, users.size))
      return Math.min(isKept ? now + shareTime : resetAt, newcomersLoseAt(user, left, now))
    },
    promiseSpare: (user, left, now) => {
      const { level } = look(user, left, now)
      if (level >= (promised.get(user) ?? Infinity)) promised.delete(user)
      if (users.get(user) && spareFor(user, left, now) > 0) promised.set(user, level + 1)
    },
    keep: (user, units) => {
      const usage = users.get(user)
      if (!usage) return
      users.keep(usage, units)
      endPromise(user)
    },
    // A gate that has been told the end of the window does not believe in an earlier one.
    expect: (user, time, now) => users.expect(user, Math.max(time, window.resetAt ?? 0), now),
    get until() {
      return users.until
    },
    count: (left, now) => {
      expire(now)
      const groups = [...users.groups(), ...groupsOfOthers(readOthers(), Infinity)]
      const unkept = Math.max(0, left - users.kept - keptBy(readOthers()))
      const level = left < Infinity ? Math.floor(levelOf(unkept, groups, 0)) : Infinity
      return { ...countByLevel(users.groups(), level), promised: promised.size, kept: users.kept }
    },
  }
}

/** How much of a window is left, from 0 to 1. */
function partLeft({ resetAt }: KnownWindow, knownSince: number, now: number): number {
  return resetAt === undefined ? 1 : Math.min(1, Math.max(0, (resetAt - now) / (resetAt - knownSince)))
}

/**
 * @param used - by the user
 * @param others - how many others have used so many units, and how many of what is left they keep at most
 * @param newcomer - the part of a user that is added for newcomers
 */
function computeShare(left: number, used: number, others: readonly UserGroup[], newcomer: number): Share {
  const level = levelOf(left, [...others, { used, users: 1, held: Infinity }], newcomer)
  const whole = Math.floor(level)
  const heldBy = (group: UserGroup) => Math.min(group.held, Math.max(0, whole - group.used)) * group.users
  const below = others.reduce((sum, group) => sum + (group.used < whole ? group.users : 0), 0)
  const held = others.reduce((sum, group) => sum + heldBy(group), 0)
  const spare = Math.floor(left - level * newcomer - held + rounding) - Math.max(0, whole - used)
  return { level: whole, spare: Math.max(0, spare), isKept: held > below + rounding }
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
  /** The active users, for the other processes of a fleet. */
  readonly count: (record: GateRecord) => ProcessUsers | undefined
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
  /** The units to tell a user, without those of calls that wait: a spare one, and the next one, are kept then. */
  readonly tell: (user: User) => number
  /** Returns a function that divides the units that are there for certain among calls in the order in which they leave. */
  readonly divide: () => (user: User) => boolean
}

/** @param waitingOf - how many calls of a user wait */
export function createSharedQuota(
  { clock, pace, record: replica }: QueueContext,
  hasUsers: boolean,
  waitingOf: (user: User) => number,
  ownId: () => string,
): SharedQuota {
  const others = createOthersReader(ownId)
  const shares = createUserShares(hasUsers, (user) => waitingOf(user) > 0, { readOthers: others.read, ownId })
  const now = () => clock.toLocal(clock.now())
  /** A time of this machine's clock by that of the store. */
  const toStored = (time: number) => (time === 0 ? 0 : time - now() + clock.now())
  /** How many units the window had for all users. */
  let capacity = 0
  /** How many requests have no response yet. */
  let underWay = 0
  /** The last state: several functions ask for it in the same moment. */
  let known = { record: emptyRecord, at: NaN, state: unknownRateLimit }

  function state(record = replica().latest): RateLimitState {
    const at = clock.now()
    if (known.record === record && known.at === at) return known.state
    known = { record, at, state: toLocalState(rateLimitState(record, at, pace), clock.toLocal) }
    shares.beginWindow(known.state, now())
    if (hasUsers) others.look(record, at)
    return known.state
  }

  /** How many units are left for all users; `undefined` where that is unknown. */
  function unitsLeft(record?: GateRecord): number | undefined {
    const { remaining: certain } = state(record)
    if (certain === undefined) return undefined
    const used = shares.used + usedBy(others.read())
    const total = certain + used
    capacity = underWay === 0 ? total : Math.max(capacity, total)
    // The window is known better from before.
    return Math.max(certain, Math.min(capacity - used, certain + underWay))
  }

  /** Counts a user until it comes back, here and in the other processes of a fleet. */
  function expect(user: User, time = 0): void {
    shares.expect(user, time, now())
    const { latest, flush } = replica()
    if (latest.users && !countUntil(latest.users[ownId()], toStored(shares.until))) void flush()
  }

  /** Keeps the next unit beyond those of the calls that wait. Returns how many units the user has. */
  function keepNext(user: User, left: number): number {
    const units = shares.unitsOf(user, left, now())
    shares.keep(user, Math.min(units, waitingOf(user) + 1))
    return units
  }

  /** What a user is told where there is nothing to share: the state as it is for all. */
  function tellState(user: User): number {
    const { remaining, resetAt, retryAt } = state()
    if (retryAt !== undefined || remaining === 0) expect(user, retryAt ?? resetAt)
    return Infinity
  }

  return {
    state,
    touch: (user) => shares.touch(user, now()),
    use: (user, permit) => {
      shares.use(user, now())
      underWay += 1
      // Before the response: the other processes know of it when the user is told.
      const left = unitsLeft()
      if (left !== undefined) keepNext(user, left)
      let isUnderWay = true
      const release: Permit['release'] = (response) => {
        if (isUnderWay) underWay -= 1
        isUnderWay = false
        return permit.release(response)
      }
      return { ...permit, release }
    },
    count: (record) => {
      if (!hasUsers) return undefined
      const left = unitsLeft(record)
      const users = shares.count(left ?? Infinity, now())
      return { ...users, reset: resetOf(record, clock.now()), until: toStored(shares.until) }
    },
    units: (record) => {
      const left = unitsLeft(record)
      if (left === undefined || left <= 0) return { ...unlimited, tell: tellState }
      const most = left + underWay
      const time = now()
      return {
        left: (user) => shares.unitsOf(user, left, time),
        most: (user) => shares.unitsOf(user, most, time),
        spareFor: (user) => shares.spareFor(user, most, time),
        nextAt: (user) => shares.nextAt(user, left, time),
        tell: (user) => {
          shares.promiseSpare(user, left, time)
          const units = Math.max(0, keepNext(user, left) - waitingOf(user))
          if (units === 0) expect(user, shares.nextAt(user, left, time))
          return units
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

/** The `reset` of the window with the fewest units; 0 where none is known. */
function resetOf(record: GateRecord, now: number): number {
  const [tightest] = liveWindows(record, now).toSorted((one, other) => one.remaining - other.remaining)
  return tightest?.reset ?? 0
}

interface OthersReader {
  readonly read: () => readonly OtherUsers[]
  /** Reads them from a record. */
  readonly look: (record: GateRecord, now: number) => void
}

function createOthersReader(ownId: () => string): OthersReader {
  let others = noOthers
  let known: GateRecord['users']
  let knownReset = 0
  /** When the first of them counts as gone (epoch ms). */
  let until = Infinity

  return {
    read: () => others,
    look: (record, now) => {
      const reset = resetOf(record, now)
      if (record.users === known && reset === knownReset && now < until) return
      known = record.users
      knownReset = reset
      const all = readOtherUsers(record, ownId(), reset, now)
      until = Math.min(Infinity, ...all.map(({ id }) => record.users?.[id]?.until ?? Infinity))
      others = all.length > 0 ? all : noOthers
    },
  }
}
