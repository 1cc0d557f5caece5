import { createBoundedCache } from '../base/boundedCache.ts'
import { unknownRateLimit } from '../client/clientRateLimit.ts'
import type { Priority } from '../rate-limit/gate.ts'
import { type CreateQueue, MaxWaitExceeded, type PendingRequest, type QueueContext } from '../rate-limit/rateLimiter.ts'
import type { RateLimitState } from '../rate-limit/rateLimitState.ts'
import { createRequestQueue, type QueueLane, type RequestQueue } from '../rate-limit/requestQueue.ts'
import { createSharedQuota, type SharedQuota, type User } from './userShares.ts'

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
      const queue = createUserQueue(context, createSharedQuota(context, hasUsers), (change) => {
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

/** Whoever fills the queues makes room, not whoever comes last. */
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
function createUserQueue({ clock }: QueueContext, quota: SharedQuota, onChange: (change: 1 | -1) => void): UserQueue {
  const queue = createRequestQueue<PendingRequest>()
  const calls = createUserCalls()
  /** The highest `order` that has left. */
  const departed: Record<Priority, number> = { user: 0, background: 0 }

  function add(request: PendingRequest): void {
    const { user, priority, isRetry } = request
    // A retry has had its turn, and does not move the calls that wait behind it.
    const order = Math.max(departed[priority], isRetry ? 0 : calls.nextOrder(user, priority))
    const permit: PendingRequest['permit'] = (permission) => {
      departed[priority] = Math.max(departed[priority], order)
      quota.use(user)
      request.permit(permission)
    }
    const waiting = { ...request, order, permit, refuse: (error: Error) => request.permit(Promise.reject(error)) }
    calls.add(waiting)
    queue.enqueue(waiting)
  }

  function remove(request: PendingRequest): void {
    queue.remove(request.id)
    calls.remove(request)
  }

  function refuse(request: WaitingRequest, error: Error): void {
    remove(request)
    onChange(-1)
    request.refuse(error)
  }

  const shareUsedUp = () =>
    new MaxWaitExceeded({ retryAt: soon(quota.state().resetAt), reason: 'rate-limit', failedStatus: 0 })

  /** Epoch ms of this machine's clock. */
  const soon = (time = 0) => Math.max(time, clock.toLocal(clock.now()) + 1_000)

  return {
    user: laneOf(queue.user, (record) => {
      const unitsOf = quota.unitsOf(record)
      return unitsOf
    }),
    background: laneOf(queue.background, (record) => {
      const unitsOf = quota.unitsOf(record)
      // A person goes before the background calls of the same user.
      return (user) => unitsOf(user) - calls.of(user).user.size
    }),
    parked: queue.parked,
    get isEmpty() {
      return queue.isEmpty
    },
    get: queue.get,
    enqueue: (request) => {
      const { user } = request
      quota.touch(calls.users(), user)
      if (calls.countOf(user) >= quota.unitsOf()(user)) throw shareUsedUp()
      add(request)
      onChange(1)
      if (!queue.get(request.id)) throw new QueueFullError(soon())
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
      quota.touch(calls.users())
      const unitsOf = quota.unitsOf()
      for (const user of calls.users()) {
        const units = unitsOf(user)
        if (calls.countOf(user) <= units) continue
        const { user: persons, background } = calls.of(user)
        for (const request of [...persons, ...background].slice(units)) refuse(request, shareUsedUp())
      }
    },
    get nextUnparkAt() {
      return queue.nextUnparkAt
    },
    prioritize: (id) => {
      const until = queue.parked.get(id)?.until
      const request = queue.get(id)
      if (!request) return
      remove(request)
      add({ ...request, priority: 'user' })
      if (until !== undefined) queue.park(id, until)
    },
    rateLimitOf: (user) => {
      quota.touch(calls.users())
      const state = quota.state()
      const units = quota.unitsOf()(user) - calls.countOf(user)
      return units === Infinity ? state : { ...state, remaining: Math.max(0, units) }
    },
    mostOfOne: () => calls.countOf(calls.longest()),
    dropOne: () => {
      const { user, background } = calls.of(calls.longest())
      const newest = [...background].at(-1) ?? [...user].at(-1)
      if (newest) refuse(newest, new QueueFullError(soon(quota.state().retryAt)))
    },
  }
}

/** The same lane, without the requests for which their users have no units left. */
function laneOf(
  lane: QueueLane<PendingRequest>,
  unitsBy: (record: GateRecord | undefined) => (user: User) => number,
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
      const unitsOf = unitsBy(record)
      const counts = new Map<User, number>()
      for (const request of lane.byOrder()) {
        const count = (counts.get(request.user) ?? 0) + 1
        if (count > unitsOf(request.user)) continue
        counts.set(request.user, count)
        yield request
      }
    },
    byDeadline: lane.byDeadline,
  }
}
