import { minute } from '../rate-limit/plan.ts'
import type { UserGroup } from './levelOf.ts'

/** The id that `authorize` returned; `undefined` for the calls of the server itself. */
export type User = string | undefined

/** What a user has used of the window. */
export interface Usage {
  used: number
  /** How many of the units that are left are kept for the user: they were announced to it. */
  kept: number
  /** Epoch ms. */
  lastSeen: number
  /** When the user may come back, as it was told (epoch ms). */
  returnsAt?: number
}

/** How long a user counts after the last call, in ms. */
const activeTime = 10_000

/** A user who was told when to come back counts for so long after that time, in ms. */
const returnTime = 2_000

/** A user who was told to come back much later does not count until then, in ms. */
const maxAbsence = 2 * minute

/** How many active users count, and how many who are gone are remembered: those seen last. */
const maxUsers = 10_000

/** How long users who are gone are remembered where no window says when their use is over, in ms. */
const idleTime = 60_000

/** The users who count, and those who are gone but have used units of the window. */
interface ActiveUsers {
  readonly size: number
  readonly get: (user: User) => Usage | undefined
  /** What is known of a user who may be gone. */
  readonly usageOf: (user: User) => Usage | undefined
  /** A call of the user has come. */
  readonly activate: (user: User, now: number) => Usage
  /** How many units are kept for all of them. */
  readonly kept: number
  /** An active user takes a unit, of those that are kept for the user if there are any. */
  readonly use: (usage: Usage) => void
  /** Keeps units for an active user, in place of those kept before. */
  readonly keep: (usage: Usage, units: number) => void
  /** When the last of those is gone who were told to come back, at the latest (epoch ms); 0 if nobody was. */
  readonly until: number
  /** A user was told to come back then (epoch ms). */
  readonly expect: (user: User, time: number, now: number) => void
  /** @param isWindowKnown - whether a window says when the use of those who are gone is over */
  readonly expire: (now: number, isWindowKnown: boolean) => void
  /** Forgets what all have used. */
  readonly beginWindow: () => void
  /**
   * What is kept for users counts as used.
   *
   * @param held - how many of the units that are left each of them keeps at most
   */
  readonly groups: (held?: number) => UserGroup[]
}

/**
 * @param isWaiting - whether calls of a user wait
 * @param onChange - called when somebody comes, goes or uses a unit
 * @param onGone - called when a user no longer counts
 */
export function createActiveUsers(
  isWaiting: (user: User) => boolean,
  onChange: () => void,
  onGone: (user: User) => void,
): ActiveUsers {
  /** The least recently seen stands first, here and below. */
  const active = new Map<User, Usage>()
  const idle = new Map<User, Usage>()
  /** How many active users have used, or keep, so many units; and how many of these they keep. */
  const usersByUse = new Map<number, { readonly users: number; readonly kept: number }>()
  let lastReturn = -returnTime
  let totalKept = 0

  function count({ used, kept }: Usage, users: 1 | -1): void {
    onChange()
    totalKept += kept * users
    const group = usersByUse.get(used + kept) ?? { users: 0, kept: 0 }
    const changed = { users: group.users + users, kept: group.kept + kept * users }
    if (changed.users > 0) usersByUse.set(used + kept, changed)
    else usersByUse.delete(used + kept)
  }

  function change(usage: Usage, used: number, kept: number): void {
    count(usage, -1)
    Object.assign(usage, { used, kept })
    count(usage, 1)
  }

  /** When an inactive user was seen last, for the purpose of the next look; `undefined` for one who is gone. */
  function staysFrom(user: User, { returnsAt = 0 }: Usage, now: number): number | undefined {
    if (active.size >= maxUsers) return undefined
    if (isWaiting(user)) return now
    return now < returnsAt + returnTime ? Math.min(now, returnsAt + returnTime - activeTime) : undefined
  }

  function expire(now: number, isWindowKnown: boolean): void {
    for (const [user, usage] of active) {
      const elapsed = now - usage.lastSeen
      // A clock that was set back cannot tell.
      if (active.size <= maxUsers && elapsed >= 0 && elapsed < activeTime) break
      active.delete(user)
      const lastSeen = staysFrom(user, usage, now)
      if (lastSeen !== undefined) {
        active.set(user, { ...usage, lastSeen })
        continue
      }
      count(usage, -1)
      usage.kept = 0
      onGone(user)
      if (usage.used > 0) idle.set(user, usage)
    }
    for (const [user, { lastSeen }] of idle) {
      const isOver = !isWindowKnown && now - lastSeen >= idleTime
      if (idle.size <= maxUsers && !isOver) break
      idle.delete(user)
    }
  }

  return {
    get size() {
      return active.size
    },
    get until() {
      return lastReturn + returnTime
    },
    get kept() {
      return totalKept
    },
    get: (user) => active.get(user),
    usageOf: (user) => active.get(user) ?? idle.get(user),
    activate: (user, now) => {
      const known = active.get(user)
      const usage = known ?? idle.get(user) ?? { used: 0, kept: 0, lastSeen: now }
      if (!known) count(usage, 1)
      usage.lastSeen = now
      idle.delete(user)
      active.delete(user)
      active.set(user, usage)
      return usage
    },
    use: (usage) => change(usage, usage.used + 1, Math.max(0, usage.kept - 1)),
    keep: (usage, units) => {
      if (usage.kept !== units) change(usage, usage.used, units)
    },
    expect: (user, time, now) => {
      const usage = active.get(user)
      if (!usage || time - now >= maxAbsence) return
      usage.returnsAt = time
      lastReturn = Math.max(lastReturn, time)
    },
    expire,
    beginWindow: () => {
      onChange()
      idle.clear()
      usersByUse.clear()
      totalKept = 0
      for (const usage of active.values()) Object.assign(usage, { used: 0, kept: 0 })
      if (active.size > 0) usersByUse.set(0, { users: active.size, kept: 0 })
    },
    groups: (held = Infinity) =>
      [...usersByUse].map(([used, { users, kept }]) => ({ used, users, held: Math.max(0, held - kept / users) })),
  }
}
