import { type ErrorContext, RateLimitError } from '../client/errors.ts'
import type { Clock } from '../base/Clock.ts'
import type { RateLimitState } from '../rate-limit/rateLimitState.ts'
import { createTurns, type Turn } from './turns.ts'
import { createUserShares, type User } from './userShares.ts'
import { createWaitingCalls, type OrderedCall } from './waitingCalls.ts'

/** A call that is to leave. */
export interface QueuedCall extends OrderedCall {
  /** For the error of a refusal. */
  readonly context: ErrorContext
}

/** A call that waits for its turn. */
export interface WaitingCall extends QueuedCall {
  readonly admit: (turn: Turn) => void
  readonly refuse: (reason: unknown) => void
}

/** Decides whose call enters the client next. Has no timers: it acts when one of its functions is called. */
export interface FairScheduler {
  /** Admits or refuses the call, now or later. */
  readonly enqueue: (call: WaitingCall) => void
  /** The call waits no longer. */
  readonly remove: (call: WaitingCall) => void
  /** Refuses a call that waits for too long. */
  readonly giveUp: (call: WaitingCall) => void
  /** The turn that a call of the group can join, as one more of its calls. */
  readonly join: (group: string | undefined) => Turn | undefined
  /** The request has left. */
  readonly leave: (turn: Turn) => void
  /** One call has settled, whether the request has left or not. */
  readonly settle: (turn: Turn) => void
  /** Makes sure that no turn is missed, and that the user counts as active. */
  readonly check: (user: User) => void
  /** The quota as it is for one user. */
  readonly rateLimitOf: (user: User) => RateLimitState
  /** No later call may join one of now: a change makes their responses outdated. */
  readonly closeGroups: () => void
  /** Refuses all calls that wait. */
  readonly clear: (reason: unknown) => void
}

export interface FairSchedulerOptions {
  readonly rateLimit: () => RateLimitState
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  /** Whether there are several users, for whom units are left over. */
  readonly hasUsers: boolean
  /** How many calls may wait. */
  readonly maxQueued: number
}

/** The queue has no place. The call can be made again. */
export class QueueFullError extends RateLimitError {}

/**
 * How many calls of people may be on their way through the gate. They leave in the order in which they entered, so nobody
 * can pass them any more. More than one, since a store may need some time for each.
 */
const maxEntering = 8

/**
 * Users take turns, and people go before background calls. A call enters the client as late as possible, since it can no
 * longer be passed there. A user whose share is used up is refused at once.
 */
export function createFairScheduler({ rateLimit, clock, hasUsers, maxQueued }: FairSchedulerOptions): FairScheduler {
  const waiting = createWaitingCalls<WaitingCall>()
  const turns = createTurns()
  const shares = createUserShares(hasUsers)
  /** How many units the window had for all users. */
  let capacity = 0

  /**
   * How many units no person has taken; `undefined` where nothing is known, or where there are none to share. A background
   * call on its way through the gate has none yet: people pass it there. While responses are out, the gate counts requests
   * twice that the service has counted already, so then the window is known better from before.
   */
  function unitsLeft({ remaining }: RateLimitState): number | undefined {
    if (remaining === undefined) return undefined
    const certain = remaining - turns.people
    const total = certain + shares.used
    capacity = turns.underWay === 0 ? total : Math.max(capacity, total)
    const left = Math.max(certain, Math.min(capacity - shares.used, certain + turns.underWay))
    return left > 0 ? left : undefined
  }

  function verdictOn({ user }: WaitingCall, state: RateLimitState): 'enter' | 'wait' | 'refuse' {
    const left = unitsLeft(state)
    if (left === undefined || shares.unitsOf(user, left, clock.now()) > 0) return 'enter'
    // Until their responses are here, the gate counts calls twice that the service has counted already.
    return shares.unitsOf(user, left + turns.underWay, clock.now()) > 0 ? 'wait' : 'refuse'
  }

  /** Lets as many calls enter as may. Call it whenever something has changed. */
  function advance(): void {
    const state = rateLimit()
    shares.beginWindow(state, clock.now())
    turns.forgetOld(clock.monotonic())
    const room = Math.max(1, Math.min(state.remaining ?? 1, maxEntering))
    const isReady = (call: WaitingCall) => verdictOn(call, state) !== 'wait'
    while (turns.people < room) {
      // Background calls enter one by one.
      const call = waiting.take(isReady, turns.background === 0)
      if (!call) return
      if (verdictOn(call, state) === 'enter') enter(call)
      else refuse(call, state.resetAt)
    }
  }

  function enter(call: WaitingCall): void {
    const calls = [call, ...waiting.takeGroup(call.group)]
    const turn = turns.begin(call, calls.length, clock.monotonic())
    shares.use(call.user, 1, clock.now())
    for (const { admit } of calls) admit(turn)
  }

  function refuse({ refuse: reject, context }: WaitingCall, retryAt: number | undefined): void {
    reject(new RateLimitError(context, soon(retryAt)))
  }

  function soon(retryAt: number | undefined): number {
    return Math.max(retryAt ?? 0, clock.now() + 1_000)
  }

  return {
    enqueue: (call) => {
      shares.touch(call.user, clock.now())
      waiting.add(call)
      advance()
      // Whoever fills the queue makes room, not whoever comes last.
      const victim = waiting.size > maxQueued ? waiting.victim() : undefined
      if (!victim) return
      waiting.remove(victim)
      victim.refuse(new QueueFullError(victim.context, soon(rateLimit().retryAt)))
    },
    remove: waiting.remove,
    giveUp: (call) => {
      waiting.remove(call)
      refuse(call, rateLimit().retryAt)
    },
    join: turns.join,
    leave: (turn) => {
      turns.leave(turn)
      advance()
    },
    settle: (turn) => {
      if (!turns.settle(turn)) return
      if (!turn.hasLeft) shares.use(turn.user, -1, clock.now())
      advance()
    },
    check: (user) => {
      shares.touch(user, clock.now())
      advance()
    },
    rateLimitOf: (user) => {
      const state = rateLimit()
      const left = unitsLeft(state)
      if (left === undefined) return state
      shares.beginWindow(state, clock.now())
      const units = shares.unitsOf(user, left, clock.now()) - waiting.countOf(user)
      return { ...state, remaining: Math.max(0, units) }
    },
    closeGroups: turns.closeGroups,
    clear: (reason) => {
      for (const call of waiting.takeAll()) call.refuse(reason)
    },
  }
}
