import type { ProcessUsers } from '../rate-limit/GateRecord.ts'
import type { OtherUsers } from '../rate-limit/fleet/recordUsers.ts'

/** Users who have used the same number of units, or as many on average. */
export interface UserGroup {
  readonly used: number
  readonly users: number
  /** How many of the units that are left each of them keeps at most. */
  readonly held: number
}

/** Far below one unit. */
export const rounding = 1e-9

/**
 * The level of use at which users below it take what is left.
 *
 * @param newcomers - how many users are added for whoever comes next
 */
export function levelOf(left: number, groups: readonly UserGroup[], newcomers: number): number {
  const steps = groups.flatMap(({ used, users, held }) => [
    [used, users] as const,
    ...(held < Infinity ? [[used + held, -users] as const] : []),
  ])
  let growing = newcomers
  let level = 0
  let taken = 0
  for (const [next, users] of steps.sort(([one], [other]) => one - other)) {
    if (growing > 0 && taken + growing * (next - level) >= left) break
    taken += growing * (next - level)
    level = next
    growing += users
  }
  return growing > 0 ? level + (left - taken) / growing + rounding : level
}

/** The users of other processes, each with the average use of theirs. */
export function groupsOfOthers(others: readonly OtherUsers[], held: number): UserGroup[] {
  return others.flatMap(({ within, usedWithin, beyond, usedBeyond, kept }) => {
    const more = Math.max(0, held - kept / Math.max(1, within + beyond))
    return [
      ...(within > 0 ? [{ used: usedWithin / within, users: within, held: more }] : []),
      ...(beyond > 0 ? [{ used: usedBeyond / beyond, users: beyond, held: more }] : []),
    ]
  })
}

/** How many users have used no more than a level, how many have used more, and how much. */
export function countByLevel(
  groups: readonly UserGroup[],
  level: number,
): Pick<ProcessUsers, 'within' | 'usedWithin' | 'beyond' | 'usedBeyond'> {
  const counted = { within: 0, usedWithin: 0, beyond: 0, usedBeyond: 0 }
  for (const { used, users } of groups) {
    counted[used <= level ? 'within' : 'beyond'] += users
    counted[used <= level ? 'usedWithin' : 'usedBeyond'] += used * users
  }
  return counted
}

/**
 * The part of a process of the spare units, by the users who may take one and were promised none. What cannot be divided
 * goes to the processes with the largest remainder.
 *
 * @param own - how many such users the process has
 */
export function partOfSpare(spare: number, own: number, ownId: string, others: readonly OtherUsers[]): number {
  if (others.length === 0 || spare === 0) return spare
  const candidates = others.map(({ within, promised }) => Math.max(0, within - promised))
  const total = candidates.reduce((sum, users) => sum + users, own)
  if (total <= spare) return own
  const exactOf = (users: number) => (spare * users) / total
  const restOf = (users: number) => exactOf(users) % 1
  const wholes = [own, ...candidates].reduce((sum, users) => sum + Math.floor(exactOf(users)), 0)
  const isBefore = (rest: number, id: string) => rest > restOf(own) || (rest === restOf(own) && id < ownId)
  const before = others.filter(({ id }, index) => isBefore(restOf(candidates[index] ?? 0), id)).length
  return Math.floor(exactOf(own)) + (before < spare - wholes ? 1 : 0)
}
