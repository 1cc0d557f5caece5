import { createBoundedCache } from '../base/boundedCache.ts'
import { unknownRateLimit } from '../client/clientRateLimit.ts'
import type { Priority } from '../rate-limit/gate.ts'
import { endWait, MaxWaitExceeded, type PendingRequest } from '../rate-limit/pendingRequest.ts'
import type { CreateQueue, QueueContext } from '../rate-limit/rateLimiter.ts'
import type { RateLimitState } from '../rate-limit/rateLimitState.ts'
import { createRequestQueue, type QueueLane, type RequestQueue } from '../rate-limit/requestQueue.ts'
import type { User } from './activeUsers.ts'
import { createSharedQuota, type SharedQuota } from './userShares.ts'

/** The queues at the gates of all keys. */
export interface UserQueues {
  readonly createQueue: CreateQueue
  /** The quota of a key as it is for one user. */
  readonly rateLimitOf: (user: User, key: string | undefined) => RateLimitState
}

export interface UserQueuesOptions {
  /** Whether there are several users, for whom units are left over. */
  readonly hasUsers: boolean
  /** How many calls may wait, of all keys together. */
  readonly maxQueued: number
}

/** The queue has no place. The call can be made again. */
export class QueueFullError extends Error {
  /** Epoch ms. */
  readonly retryAt: number

  constructor(retryAt: number) {
    super('The queue is full.')
    this.retryAt = retryAt
  }
}

/** How many keys are remembered. */
const maxKeys = 100

export function createUserQueues({ hasUsers, maxQueued }: UserQueuesOptions): UserQueues {
  const { values, set } = createBoundedCache<{ readonly queue: UserQueue; readonly size: number }>(maxKeys)
  /** The queues in which calls wait. */
  const busy = new Set<UserQueue>()
  let queued = 0

  return {
    createQueue: (context) => {
      const queue = createUserQueue(context, hasUsers, (change) => {
        queued += change
        if (queue.isEmpty) busy.delete(queue)
        else busy.add(queue)
        if (queued > maxQueued) dropOne(busy)
      })
      set(context.key ?? '', { queue, size: 1 })
      return queue
    },
    rateLimitOf: (user, key) => values.get(key ?? '')?.queue.rateLimitOf(user) ?? unknownRateLimit,
  }
}

/** The user who fills the queues makes room, not the one who comes last. */
function dropOne(queues: Iterable<UserQueue>): void {
  const [fullest] = [...queues].sort((one, other) => other.mostOfOne() - one.mostOfOne())
  fullest?.dropOne()
}

/** The queue of one key. */
interface UserQueue extends RequestQueue<PendingRequest> {
  readonly rateLimitOf: (user: User) => RateLimitState
  /** How many calls the user with the most has here. */
  readonly mostOfOne: () => number
  /** Refuses the newest call of that user, of the background if there is one. */
  readonly dropOne: () => void
}

/**
 * Users take turns, and a call beyond its user's share of the quota is refused at once. Requests leave by their `order`, as
 * in any queue: each user's are numbered on from where the queue stands when they come, so that of each user the first goes
 * before the second of all others (start-time fair queueing).
 *
 * @param onChange - called when a call has come to wait, and when one waits no longer
 */
function createUserQueue(context: QueueContext, hasUsers: boolean, onChange: (change: 1 | -1) => void): UserQueue {
  const { clock } = context
  const queue = createRequestQueue<PendingRequest>()
  const calls = createUserCalls()
  /** The process among those that share the record, as its gate is named: by the id of its first request. */
  let process = ''
  const quota = createSharedQuota(context, hasUsers, calls.countOf, () => process)
  const turns = { user: createTurns(queue.user), background: createTurns(queue.background) }
  /** When a call has waited too long for responses that may leave its user a unit; in ms of the monotonic clock. */
  let nextDeadline = Infinity

  function add(request: PendingRequest): void {
    // A retry has had its turn, and does not move the calls that wait behind it.
    const order = turns[request.priority].next(request.user, request.isRetry)
    const waiting = { ...request, order }
    calls.add(waiting)
    queue.enqueue(waiting)
  }

  function remove({ id }: PendingRequest): void {
    const request = queue.get(id)
    if (!request) return
    queue.remove(id)
    calls.remove(request)
  }

  function refuse(request: PendingRequest, error: Error): void {
    remove(request)
    onChange(-1)
    endWait(request)
    request.reject(error)
  }

  const refusal = (time: number | undefined) =>
    new MaxWaitExceeded({ retryAt: soon(time), reason: 'rate-limit', failedStatus: 0 })

  /** Epoch ms of this machine's clock. */
  const soon = (time = 0) => Math.max(time, clock.toLocal(clock.now()) + 1_000)

  /** Refuses the calls that get no unit any more: users have come, or a response has said how many are left. */
  function refuseExcess(): void {
    const { left, most, spareFor, nextAt } = quota.units()
    nextDeadline = Infinity
    const forSpare: PendingRequest[] = []
    for (const user of calls.users()) {
      if (calls.countOf(user) <= left(user)) continue
      const inOrder = calls.inOrder(user)
      for (const request of inOrder.slice(left(user), most(user))) {
        if (request.deadline > clock.monotonic()) nextDeadline = Math.min(nextDeadline, request.deadline)
        else refuse(request, refusal(quota.state().retryAt))
      }
      const [next, ...rest] = inOrder.slice(most(user))
      if (next) forSpare.push(next)
      for (const request of rest) refuse(request, refusal(nextAt(user)))
    }
    forSpare.sort((one, other) => one.order - other.order)
    for (const [index, request] of forSpare.entries()) {
      if (index >= spareFor(request.user)) refuse(request, refusal(nextAt(request.user)))
    }
  }

  return {
    user: laneOf(queue.user, (record) => quota.units(record).divide()),
    background: laneOf(queue.background, (record) => {
      const isGiven = quota.units(record).divide()
      // People go before background calls.
      for (const { user } of queue.user.requests) isGiven(user)
      return isGiven
    }),
    parked: queue.parked,
    get isEmpty() {
      return queue.isEmpty
    },
    get: queue.get,
    enqueue: (request) => {
      const { id, user } = request
      process ||= id
      quota.touch(user)
      const { most, spareFor, nextAt } = quota.units()
      const units = most(user) + Math.min(1, spareFor(user))
      if (calls.countOf(user) >= units) throw refusal(nextAt(user))
      add({ ...request, permit: (permit) => request.permit(quota.use(user, permit)) })
      onChange(1)
      if (!queue.get(id)) throw new QueueFullError(soon(quota.state().retryAt))
    },
    remove: (id) => {
      const request = queue.get(id)
      if (!request) return
      remove(request)
      onChange(-1)
    },
    park: queue.park,
    unpark: (isDue) => {
      queue.unpark(isDue)
      if (!queue.isEmpty) refuseExcess()
    },
    get nextUnparkAt() {
      return Math.min(queue.nextUnparkAt, nextDeadline - clock.monotonic() + clock.now())
    },
    prioritize: (id) => {
      const until = queue.parked.get(id)?.until
      const request = queue.get(id)
      if (!request) return
      remove(request)
      add({ ...request, priority: 'user' })
      if (until !== undefined) queue.park(id, until)
    },
    countUsers: quota.count,
    rateLimitOf: (user) => {
      const state = quota.state()
      const { tell, nextAt } = quota.units()
      const units = tell(user)
      if (units === Infinity) return state
      return units > 0 ? { ...state, remaining: units } : { ...state, remaining: 0, resetAt: nextAt(user) }
    },
    mostOfOne: () => calls.countOf(calls.fullest()),
    dropOne: () => {
      const newest = calls.newest(calls.fullest())
      if (newest) refuse(newest, new QueueFullError(soon(quota.state().retryAt)))
    },
  }
}

/** The same lane, without the requests for which their users have no units left. */
function laneOf(
  lane: QueueLane<PendingRequest>,
  divideBy: (record: Parameters<SharedQuota['units']>[0]) => (user: User) => boolean,
): QueueLane<PendingRequest> {
  return {
    requests: lane.requests,
    arrivals: lane.arrivals,
    get newest() {
      return lane.newest
    },
    rankOf: lane.rankOf,
    get departed() {
      return lane.departed
    },
    get reorderings() {
      return lane.reorderings
    },
    *byOrder(record) {
      // Most of the time nobody waits, and there is nothing to divide.
      if (lane.requests.size === 0) return
      const isGiven = divideBy(record)
      for (const request of lane.byOrder()) if (isGiven(request.user)) yield request
    },
    byDeadline: lane.byDeadline,
  }
}

/** So many users have a place behind their last call. More are treated like new ones. */
const maxTurns = 10_000

/** Numbers the calls of a lane. */
interface Turns {
  readonly next: (user: User, isRetry: boolean) => number
}

function createTurns({ byOrder, requests }: QueueLane<PendingRequest>): Turns {
  /** The numbers of the users' next calls. */
  const next = new Map<User, number>()

  return {
    next: (user, isRetry) => {
      // Nobody waits behind anybody.
      if (requests.size === 0) next.clear()
      const [first] = byOrder()
      const order = first?.order ?? 0
      if (isRetry) return order
      const own = Math.max(order, next.get(user) ?? 0)
      next.delete(user)
      next.set(user, own + 1)
      const [oldest] = next.keys()
      if (next.size > maxTurns) next.delete(oldest)
      return own
    },
  }
}

/** The calls that wait, by user. */
interface UserCalls {
  readonly add: (request: PendingRequest) => void
  readonly remove: (request: PendingRequest) => void
  readonly users: () => readonly User[]
  readonly countOf: (user: User) => number
  /** The calls of a user in the order in which they leave. */
  readonly inOrder: (user: User) => readonly PendingRequest[]
  /** The user with the most calls. */
  readonly fullest: () => User
  /** The call of the user that came last, of the background if there is one. */
  readonly newest: (user: User) => PendingRequest | undefined
}

type Lanes = Readonly<Record<Priority, Set<PendingRequest>>>

function createUserCalls(): UserCalls {
  const byUser = new Map<User, Lanes>()

  function countOf(user: User): number {
    const lanes = byUser.get(user)
    return lanes ? lanes.user.size + lanes.background.size : 0
  }

  return {
    add: (request) => {
      const { user, priority } = request
      const lanes = byUser.get(user) ?? { user: new Set(), background: new Set() }
      lanes[priority].add(request)
      byUser.set(user, lanes)
    },
    remove: (request) => {
      const { user, priority } = request
      byUser.get(user)?.[priority].delete(request)
      if (countOf(user) === 0) byUser.delete(user)
    },
    users: () => [...byUser.keys()],
    countOf,
    inOrder: (user) => {
      const { user: persons = [], background = [] } = byUser.get(user) ?? {}
      return [persons, background].flatMap((lane) => [...lane].sort((one, other) => one.order - other.order))
    },
    fullest: () => {
      let fullest: User
      // Of several, the one that came last.
      for (const user of byUser.keys()) if (countOf(user) >= countOf(fullest)) fullest = user
      return fullest
    },
    newest: (user) => {
      const { user: persons = [], background = [] } = byUser.get(user) ?? {}
      return [...background].at(-1) ?? [...persons].at(-1)
    },
  }
}
