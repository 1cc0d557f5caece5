import type { Clock } from './Clock.ts'
import { emptyRecord, type GateRecord, withdraw } from './GateRecord.ts'
import { type GateAnswer, observe, type Priority } from './gate.ts'
import type { Pace } from './plan.ts'
import { createListeners } from './listeners.ts'
import { isSameState, nextStateChange, type RateLimitState, rateLimitState } from './rateLimitState.ts'
import type { RateLimitStore } from './RateLimitStore.ts'
import { createResilientStore } from './resilientStore.ts'
import { type Advance, advance, join, leave, lift, type Waiting, type WaitingLine } from './waitingLine.ts'

/** The gate of one API key, with the timers that it takes to wait at it. */
export interface RateLimiter {
  /**
   * Waits until a request may leave, which it then must at once. Rejects with `WaitTooLong`, or with the signal's
   * reason.
   */
  readonly enter: (request: EnterRequest) => Promise<Permit>
  /** A person has come to wait for a request that entered as background work. */
  readonly lift: (id: string) => void
  readonly getSnapshot: () => RateLimitState
  /** From when on a request may leave again, as far as is known now (epoch ms). */
  readonly retryAt: () => number
  /** Calls `listener` whenever the snapshot has changed, also by time or by another tab. */
  readonly subscribe: (listener: () => void) => () => void
  /** Forgets all that is known, cool-downs included. */
  readonly reset: () => Promise<void>
}

export interface EnterRequest {
  /** Unique in all tabs. */
  readonly id: string
  readonly priority: Priority
  /** Place among those of the same priority: the smaller one goes first. */
  readonly order: number
  /** The latest time at which it may leave (epoch ms). */
  readonly deadline: number
  /** How long it counts as under way should nothing more be heard of it, in ms. */
  readonly holdFor: number
  readonly signal: AbortSignal
  /** Told whenever it turns out that the request has to wait until a time (epoch ms), or for longer than thought. */
  readonly onWait?: (until: number) => void
}

/** A request that may leave. */
export interface Permit {
  /** Epoch ms. */
  readonly sentAt: number
  /**
   * Has to be called once, when the request is over: with what its answer says, or with nothing if it was lost.
   * Resolves when the gate has taken it in.
   */
  readonly settle: (answer?: Pick<GateAnswer, 'reading' | 'refused'>) => Promise<void>
}

/** A wait would go on past its deadline. */
export class WaitTooLong extends Error {
  override readonly name = 'WaitTooLong'
  /** From when on there would be hope (epoch ms). */
  readonly retryAt: number

  constructor(retryAt: number) {
    super('The wait would be too long.')
    this.retryAt = retryAt
  }
}

export interface RateLimiterOptions {
  readonly name: string
  readonly store: RateLimitStore
  readonly pace: Pace
  readonly clock: Clock
  /** 0 to 1 */
  readonly random: () => number
  readonly warn: (message: string) => void
}

/** An admission is good for that long, in ms, unless it is confirmed: a machine may have slept since. */
const admissionTime = 1_000

interface Waiter extends Waiting {
  /** Called once, with when it may leave or why it may not. */
  readonly settle: (outcome: number | WaitTooLong) => void
  readonly onWait: ((until: number) => void) | undefined
  waitsUntil: number
}

/** What has happened, and the store does not know yet. */
type Change = (record: GateRecord, now: number) => GateRecord

/**
 * The one place where the gate meets time: every timer and every wait of it is here. What has happened is gathered and
 * taken to the store in one update, round by round, so that many requests at once cost one.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { name, pace, clock, random, warn } = options
  const store = createResilientStore(options.store, name, clock, warn)
  const listeners = createListeners()
  /** Requests that have left, and how to give them up for lost. */
  const underWay = new Set<() => Promise<void>>()
  let line: WaitingLine<Waiter> = []
  let changes: Change[] = []
  let round: Promise<void> | undefined
  let isRoundDue = false
  let cancelTimer = () => {}
  let closeDoors: (() => void) | undefined
  let state = rateLimitState(store.latest, clock.now(), pace)

  function run(change?: Change): Promise<void> {
    if (change) changes.push(change)
    isRoundDue = true
    // Begins when `round` is set: a store may tell of a change, and so call back, before its update returns.
    round ??= Promise.resolve().then(rounds)
    return round
  }

  async function rounds(): Promise<void> {
    try {
      while (isRoundDue) {
        isRoundDue = false
        await oneRound()
      }
    } finally {
      round = undefined
    }
    look()
  }

  async function oneRound(): Promise<void> {
    openDoors()
    const due = changes
    changes = []
    let result: Advance<Waiter> | undefined
    let decidedAt = 0
    await store.update((stored) => {
      decidedAt = clock.now()
      const record = due.reduce((changed, change) => change(changed, decidedAt), stored)
      result = advance(line, record, decidedAt, pace)
      return result.record
    })
    if (result) apply(result, decidedAt)
  }

  function apply({ admitted, rejected, notBefore }: Advance<Waiter>, decidedAt: number): void {
    const now = clock.now()
    const isStale = now - decidedAt > admissionTime
    for (const { id, settle } of admitted) {
      if (isWaiting(id) && (!isStale || isStillGood(id, now))) {
        line = leave(line, id)
        settle(isStale ? now : decidedAt)
      } else {
        // Nobody waits for it any more, or it has to ask anew, from its place in the line.
        void run((record) => withdraw(record, id))
      }
    }
    for (const { request, retryAt } of rejected) {
      line = leave(line, request.id)
      request.settle(new WaitTooLong(retryAt))
    }
    for (const waiter of line) {
      const until = notBefore.get(waiter.id) ?? 0
      if (until <= waiter.waitsUntil || until <= decidedAt) continue
      waiter.waitsUntil = until
      waiter.onWait?.(until)
    }
  }

  function isWaiting(id: string): boolean {
    return line.some((waiter) => waiter.id === id)
  }

  /** By the newest that is known, without the store: were it always slow, no admission would ever come in time. */
  function isStillGood(id: string, now: number): boolean {
    const { coolUntil, leases } = store.latest
    return coolUntil <= now && (leases[id]?.until ?? now) > now
  }

  /** Time has passed, or others have changed the record: asks the store only where that could make a difference. */
  function look(): void {
    if (round) return // it ends with a look
    const { admitted, rejected, wakeAt } = advance(line, store.latest, clock.now(), pace)
    if (admitted.length > 0 || rejected.length > 0) void run()
    else schedule(wakeAt)
    tell()
    closeIfIdle()
  }

  function schedule(lineWakes: number): void {
    cancelTimer()
    const now = clock.now()
    const stateChanges = listeners.isEmpty ? Number.POSITIVE_INFINITY : nextStateChange(store.latest, now)
    const next = Math.min(lineWakes, stateChanges)
    if (next === Number.POSITIVE_INFINITY) return
    cancelTimer = clock.wakeAfter(Math.max(next - now, 1), look)
  }

  function tell(): void {
    const next = rateLimitState(store.latest, clock.now(), pace)
    if (isSameState(next, state)) return
    state = next
    listeners.call()
  }

  /** Tabs wake each other through the store; a page that slept, or whose timers were throttled, looks when it is back. */
  function openDoors(): void {
    if (closeDoors) return
    const closeStore = store.open(look)
    const stopListening = listenToPage(look, () => {
      for (const giveUp of [...underWay]) void giveUp()
    })
    closeDoors = () => {
      closeStore()
      stopListening()
    }
  }

  function closeIfIdle(): void {
    if (round || line.length > 0 || underWay.size > 0 || !listeners.isEmpty) return
    cancelTimer()
    closeDoors?.()
    closeDoors = undefined
  }

  function permitFor(id: string, sentAt: number): Permit {
    const report = (reading: GateAnswer['reading'], refused: boolean) => {
      const answer = { id, sentAt, reading, refused, jitter: random() }
      return run((record, now) => observe(record, answer, now, pace))
    }
    const giveUp = async () => {
      if (underWay.delete(giveUp)) await report(undefined, false)
    }
    underWay.add(giveUp)
    return {
      sentAt,
      // An answer still counts if it comes after all.
      settle: (answer) => {
        if (!answer) return giveUp()
        underWay.delete(giveUp)
        return report(answer.reading, answer.refused)
      },
    }
  }

  return {
    enter: ({ signal, onWait, ...request }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const { id } = request
        const abort = () => {
          line = leave(line, id)
          reject(signal.reason)
          look()
        }
        signal.addEventListener('abort', abort, { once: true })
        line = join(line, {
          ...request,
          settle: (outcome) => {
            signal.removeEventListener('abort', abort)
            if (outcome instanceof WaitTooLong) reject(outcome)
            else resolve(permitFor(id, outcome))
          },
          onWait,
          waitsUntil: 0,
        })
        void run()
      }),
    lift: (id) => {
      line = lift(line, id)
      void run()
    },
    getSnapshot: () => {
      // With nobody to tell, no timer keeps it up to date.
      if (listeners.isEmpty) tell()
      return state
    },
    retryAt: () => Math.max(store.latest.coolUntil, clock.now()),
    subscribe: (listener) => {
      const remove = listeners.add(listener)
      void run()
      return () => {
        remove()
        closeIfIdle()
      }
    },
    reset: () => run(({ leases }, now) => ({ ...emptyRecord, updatedAt: now, leases })),
  }
}

/** Calls `wake` when a page is back from sleep, background or cache, and `leaving` when it may be about to go. */
function listenToPage(wake: () => void, leaving: () => void): () => void {
  if (typeof document === 'undefined') return () => {}
  const events: readonly (readonly [EventTarget, type: string, listener: () => void])[] = [
    [document, 'visibilitychange', wake],
    [window, 'online', wake],
    [window, 'pageshow', wake],
    [window, 'pagehide', leaving],
  ]
  for (const [target, type, listener] of events) target.addEventListener(type, listener)
  return () => {
    for (const [target, type, listener] of events) target.removeEventListener(type, listener)
  }
}
