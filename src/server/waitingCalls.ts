import type { Priority } from '../rate-limit/gate.ts'
import { createRoundRobin } from './roundRobin.ts'
import type { User } from './userShares.ts'

/** What the order of calls depends on. */
export interface OrderedCall {
  readonly user: User
  readonly priority: Priority
  /** Calls of one group share a request. */
  readonly group: string | undefined
}

/** The calls that wait for their turn: people before background calls, and users in turn. */
export interface WaitingCalls<Call> {
  readonly size: number
  readonly countOf: (user: User) => number
  readonly add: (call: Call) => void
  readonly remove: (call: Call) => void
  /** Removes the call whose turn it is. A background call has none while a person waits. */
  readonly take: (isReady: (call: Call) => boolean, withBackground: boolean) => Call | undefined
  /** Removes all calls of a group. */
  readonly takeGroup: (group: string | undefined) => readonly Call[]
  /** The call that has to make room: the newest of the user who has the most, of the background if there is one. */
  readonly victim: () => Call | undefined
  readonly takeAll: () => readonly Call[]
}

export function createWaitingCalls<Call extends OrderedCall>(): WaitingCalls<Call> {
  const lanes = { user: createRoundRobin<Call>(), background: createRoundRobin<Call>() }
  const groups = new Map<string, Set<Call>>()

  function remove(call: Call): void {
    lanes[call.priority].remove(call.user, call)
    const group = groups.get(call.group ?? '')
    if (group?.delete(call) && group.size === 0) groups.delete(call.group ?? '')
  }

  return {
    get size() {
      return lanes.user.size + lanes.background.size
    },
    countOf: (user) => lanes.user.countOf(user) + lanes.background.countOf(user),
    add: (call) => {
      const { user, priority, group } = call
      lanes[priority].add(user, call)
      if (group !== undefined) groups.set(group, (groups.get(group) ?? new Set()).add(call))
    },
    remove,
    take: (isReady, withBackground) => {
      const lane = lanes.user.size > 0 ? lanes.user : lanes.background
      const call = lane === lanes.user || withBackground ? lane.take(isReady) : undefined
      if (call) remove(call)
      return call
    },
    takeGroup: (group = '') => {
      const calls = [...(groups.get(group) ?? [])]
      for (const call of calls) remove(call)
      return calls
    },
    victim: () => lanes.background.newestOfLongest() ?? lanes.user.newestOfLongest(),
    takeAll: () => {
      const calls: Call[] = []
      for (const lane of Object.values(lanes)) {
        for (let call = lane.take(); call; call = lane.take()) calls.push(call)
      }
      groups.clear()
      return calls
    },
  }
}
