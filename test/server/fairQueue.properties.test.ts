import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RateLimitState } from '../../src/client.ts'
import { withAbort } from '../../src/base/abort.ts'
import { createFairQueue } from '../../src/server/fairQueue.ts'
import { QueueFullError } from '../../src/server/fairScheduler.ts'
import { opening } from '../client/client.setup.ts'
import { runs } from '../rate-limit/runs.ts'
import { createVirtualClock, flushMicrotasks } from '../rate-limit/virtualClock.ts'

/*
 * The queue before a client that is a function: its calls leave in the order in which they have entered, at random times,
 * as long as there are units. The rules are checked at the moment at which a call enters the client.
 */

interface Plan {
  /** ms after the call before. */
  readonly after: number
  readonly user: number
  readonly isBackground: boolean
  /** Calls of one number and user share a request. */
  readonly group: number | undefined
  /** ms until the caller leaves. */
  readonly abortsAfter: number | undefined
  /** ms at the gate, and then for the response. */
  readonly takes: readonly [number, number]
  /** Whether the gate refuses it. */
  readonly isRefused: boolean
}

const often = (value: fc.Arbitrary<number>) => fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, value)
const plans: fc.Arbitrary<readonly Plan[]> = fc.array(
  fc.record({
    after: often(fc.nat(300)),
    user: fc.oneof(fc.constant(0), fc.nat(4)),
    isBackground: fc.nat(3).map((chance) => chance === 0),
    group: fc.option(fc.nat(1), { nil: undefined, freq: 3 }),
    abortsAfter: fc.option(fc.nat(1_000), { nil: undefined, freq: 4 }),
    takes: fc.tuple(often(fc.nat(400)), often(fc.nat(400))),
    isRefused: fc.nat(9).map((chance) => chance === 0),
  }),
  { minLength: 5, maxLength: 60 },
)
interface Quota {
  readonly units: number | undefined
  readonly maxQueued: number
  readonly isCautious: boolean
  readonly per: number
}

const quotas: fc.Arbitrary<Quota> = fc.record({
  /** `undefined`: the service announces nothing. */
  units: fc.option(fc.nat(40), { nil: undefined, freq: 5 }),
  maxQueued: fc.oneof(fc.constant(1_000), fc.integer({ min: 1, max: 10 })),
  /** Whether the gate takes off what is in flight, although the service has counted it already. */
  isCautious: fc.boolean(),
  /** When there are new units, in ms. */
  per: fc.integer({ min: 2_000, max: 60_000 }),
})

interface Visit extends Omit<Plan, 'isBackground'> {
  isBackground: boolean
  readonly id: number
  state: 'waits' | 'entered' | 'left' | 'ended' | 'refused' | 'full' | 'aborted'
  /** The calls of each user that have entered since this one waits. */
  readonly passedBy: Map<number, number>
}

interface Caller {
  readonly isBackground: boolean
  readonly onWait: (until: number | undefined) => void
  readonly signal: AbortSignal
}

const maxEntering = 8

async function play(all: readonly Plan[], { units, maxQueued, isCautious, per }: Quota) {
  const clock = createVirtualClock(opening, async () => {
    for (let turn = 0; turn < 4; turn += 1) await flushMicrotasks()
  })
  const visits: Visit[] = []
  const problems: unknown[] = []
  const used = new Map<number, number>()
  let left = units
  let resetAt = opening + per
  let isAnnounced = false
  const counts = { sent: 0, refused: 0, full: 0, aborted: 0, shared: 0 }

  function renewUnits(): void {
    if (clock.now() < resetAt) return
    left = units
    resetAt += per * Math.ceil((clock.now() - resetAt + 1) / per)
    isAnnounced = false
    used.clear()
  }

  function rateLimit(): RateLimitState {
    renewUnits()
    if (left === undefined || !isAnnounced) {
      return {
        status: 'unknown',
        limit: units,
        remaining: undefined,
        resetAt: undefined,
        retryAt: undefined,
        waitReason: undefined,
      }
    }
    const retryAt = left === 0 ? resetAt : undefined
    const inFlight = isCautious ? visits.filter(({ state }) => state === 'left').length : 0
    return {
      status: 'ok',
      limit: units,
      remaining: Math.max(0, left - inFlight),
      resetAt,
      retryAt,
      waitReason: retryAt === undefined ? undefined : 'rate-limit',
    }
  }

  const queue = createFairQueue({ rateLimit, clock, hasUsers: true, maxQueued, maxWait: 5_000 })
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))
  const waiting = () => visits.filter(({ state }) => state === 'waits')
  const isPerson = ({ isBackground }: Visit) => !isBackground
  const groupOf = ({ group, user }: Visit) => (group === undefined ? undefined : `${user}/${group}`)
  const underWay = new Map<unknown, { callers: Set<Caller>; result: Promise<void> }>()

  const takenBy = (user: number) =>
    (used.get(user) ?? 0) + visits.filter((other) => other.user === user && other.state === 'entered').length

  function checkEntry(visit: Visit): void {
    try {
      assertEntry(visit)
    } catch (problem) {
      problems.push(problem)
    }
  }

  function assertEntry(visit: Visit): void {
    const entering = visits.filter(
      ({ state, isBackground }) => state === 'entered' && isBackground === visit.isBackground,
    )
    const known = rateLimit().remaining
    // Background calls enter one by one; people only as many as there are units.
    const room = visit.isBackground ? 1 : Math.max(1, Math.min(maxEntering, known ?? 1))
    expect(entering.length).toBeLessThanOrEqual(room)
    const rivals = waiting().filter((other) => groupOf(other) === undefined || groupOf(other) !== groupOf(visit))
    if (visit.isBackground) expect(rivals.filter(isPerson)).toEqual([])
    // Nobody who waits is passed twice by one user.
    for (const rival of rivals) {
      if (rival.isBackground !== visit.isBackground || rival.user === visit.user) continue
      const isFirst = !rivals.some(
        (other) => other.id < rival.id && other.user === rival.user && other.isBackground === rival.isBackground,
      )
      // A user who has taken more may be waiting for what the responses under way leave.
      if (!isFirst || takenBy(rival.user) > takenBy(visit.user) - 1) continue
      const passed = (rival.passedBy.get(visit.user) ?? 0) + 1
      rival.passedBy.set(visit.user, passed)
      expect(passed).toBeLessThanOrEqual(2)
    }
    for (const rival of rivals) if (rival.user === visit.user) rival.passedBy.clear()
  }

  /** One request of the client: for all callers of its group, under way until the last of them has gone. */
  function send(visit: Visit, callers: Set<Caller>): Promise<void> {
    visit.state = 'entered'
    const request = async () => {
      // All of a group enter in one turn, which has the highest of their priorities.
      for (let turn = 0; turn < 9; turn += 1) await Promise.resolve()
      visit.isBackground = [...callers].every((caller) => caller.isBackground)
      checkEntry(visit)
      await sleep(visit.takes[0])
      if (callers.size === 0) return
      if (visit.isRefused) throw new Error('refused')
      renewUnits()
      if (left !== undefined) left = Math.max(0, left - 1)
      used.set(visit.user, (used.get(visit.user) ?? 0) + 1)
      counts.sent += 1
      visit.state = 'left'
      for (const { onWait } of callers) onWait(undefined)
      await sleep(visit.takes[1])
      isAnnounced = true
    }
    return request().finally(() => {
      visit.state = 'ended'
    })
  }

  async function perform(visit: Visit, caller: Caller): Promise<void> {
    const group = groupOf(visit) ?? visit
    const known = underWay.get(group)
    const callers = known?.callers ?? new Set()
    callers.add(caller)
    if (known) {
      visit.state = 'left'
      counts.shared += 1
    }
    const shared = known ?? { callers, result: send(visit, callers) }
    underWay.set(group, shared)
    const forget = () => {
      callers.delete(caller)
      if (callers.size === 0 && underWay.get(group) === shared) underWay.delete(group)
    }
    try {
      await withAbort(caller.signal, () => shared.result)
    } finally {
      forget()
      visit.state = 'ended'
    }
  }

  async function enter(visit: Visit): Promise<void> {
    const { user, isBackground, abortsAfter } = visit
    const leaving = new AbortController()
    const stop = abortsAfter === undefined ? () => {} : clock.wakeAfter(abortsAfter, () => leaving.abort())
    const { signal } = leaving
    const since = clock.now()
    visits.push(visit)
    const call = {
      user: String(user),
      priority: isBackground ? ('background' as const) : ('user' as const),
      signal,
      group: groupOf(visit),
      context: { operation: 'any', attempts: 0 },
    }
    try {
      await queue.run(call, (onWait) => perform(visit, { isBackground, onWait, signal }))
    } catch (error) {
      if (visit.state === 'ended') return
      if (signal.aborted) {
        visit.state = 'aborted'
        // Gone at once.
        expect(clock.now()).toBe(since + (abortsAfter ?? 0))
        counts.aborted += 1
      } else if (error instanceof QueueFullError) {
        visit.state = 'full'
        counts.full += 1
        expect(maxQueued).toBeLessThan(1_000)
      } else {
        visit.state = 'refused'
        counts.refused += 1
        // Whoever has taken nothing of this window gets a unit as long as there are any.
        const waited = clock.now() - since
        const isEntering = visits.some((other) => other.user === user && other.state === 'entered')
        if (waited < 5_000 && !isEntering) expect(used.get(user) ?? 0).toBeGreaterThan(0)
        expect(waited).toBeLessThanOrEqual(5_000)
      }
    } finally {
      stop()
    }
  }

  let at = 0
  for (const [id, plan] of all.entries()) {
    at += plan.after
    clock.wakeAfter(at, () => {
      enter({ ...plan, id, state: 'waits', passedBy: new Map() }).catch((problem: unknown) => problems.push(problem))
      expect(waiting().length).toBeLessThanOrEqual(maxQueued + 1)
    })
  }
  await clock.run()
  return { visits, counts, problems }
}

test('users take turns, people go first, the queue is bounded, and every call ends', async () => {
  const total = { sent: 0, refused: 0, full: 0, aborted: 0, shared: 0 }
  await fc.assert(
    fc.asyncProperty(plans, quotas, async (all, quota) => {
      const { visits, counts, problems } = await play(all, quota)
      if (problems.length > 0) throw problems[0]
      expect(visits.filter(({ state }) => state === 'waits' || state === 'entered' || state === 'left')).toEqual([])
      for (const name of ['sent', 'refused', 'full', 'aborted', 'shared'] as const) total[name] += counts[name]
    }),
    { ...runs, numRuns: Math.min(runs.numRuns, 500) },
  )
  // The property says something only if all of this happens.
  for (const count of Object.values(total)) expect(count).toBeGreaterThan(100)
}, 180_000)
