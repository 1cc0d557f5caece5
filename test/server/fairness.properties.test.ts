import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { startOfTests } from '../client/client.setup.ts'
import { runs, timeout } from '../rate-limit/runs.ts'
import { createVirtualClock, flushMicrotasks } from '../rate-limit/virtualClock.ts'
import { postDog, setupInVirtualTime } from './handler.setup.ts'

/*
 * Visitors of a handler and its service, at random times. The rules are checked at the moment at which a call leaves for
 * the service, and when a visitor gets a response.
 */

afterEach(() => void vi.restoreAllMocks())

interface Plan {
  /** ms after the visit before. */
  readonly after: number
  readonly user: number
  readonly isBackground: boolean
  /** ms until the visitor leaves. */
  readonly leavesAfter: number | undefined
}

const mostlyZero = (value: fc.Arbitrary<number>) => fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, value)
const plans: fc.Arbitrary<readonly Plan[]> = fc.array(
  fc.record({
    after: mostlyZero(fc.nat(400)),
    user: fc.oneof(fc.constant(0), fc.nat(4)),
    isBackground: fc.nat(3).map((chance) => chance === 0),
    leavesAfter: fc.option(fc.nat(1_000), { nil: undefined, freq: 4 }),
  }),
  { minLength: 5, maxLength: 60 },
)

const quotas = fc.record({
  limit: fc.integer({ min: 2, max: 40 }),
  maxQueued: fc.oneof(fc.constant(1_000), fc.integer({ min: 1, max: 10 })),
  /** The length of a window of the quota, in ms. */
  per: fc.integer({ min: 2_000, max: 60_000 }),
  latency: fc.nat(400),
})

interface Visit extends Plan {
  readonly id: number
  readonly since: number
  state: 'waits' | 'sent' | 'ended'
  /** The status that the visitor gets. */
  status: number
  /** How many calls of each other user have left while this one waited, since a call of its own user left. */
  readonly passedBy: Map<number, number>
}

interface Quota {
  readonly limit: number
  readonly maxQueued: number
  readonly per: number
  readonly latency: number
}

async function flush(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await flushMicrotasks()
}

async function play(all: readonly Plan[], { limit, maxQueued, per, latency }: Quota) {
  const clock = createVirtualClock(startOfTests, flush)
  const visits: Visit[] = []
  const problems: unknown[] = []
  /** The units of the current window that each user has used. */
  let used = new Map<number, number>()
  let windowEnd = 0

  const { service, handler } = setupInVirtualTime({
    clock,
    service: { plan: [{ limit, per }], latency },
    handler: { maxQueued },
    fetch: async (request) => {
      const { name } = await request.clone().json()
      const visit = visits[Number(name)]
      if (visit) check(() => assertTurn(visit))
      return service.fetch(request)
    },
  })

  /** Collects failed assertions: the handler would take one that `fetch` throws for a failure of the service. */
  function check(assert: () => void): void {
    try {
      assert()
    } catch (problem) {
      problems.push(problem)
    }
  }

  /** The visits whose call has been in the queue for some time. */
  const waiting = () => visits.filter(({ state, since }) => state === 'waits' && since < clock.now())
  const usedBy = (user: number) => used.get(user) ?? 0

  function assertTurn(visit: Visit): void {
    // A visitor who has gone sends nothing.
    expect(visit.state).toBe('waits')
    visit.state = 'sent'
    if (clock.now() >= windowEnd) {
      used = new Map()
      windowEnd = (Math.floor(clock.now() / per) + 1) * per
    }
    const rivals = waiting().filter(({ user }) => user !== visit.user)
    // A person who has had no unit of this window goes before any background call.
    const persons = rivals.filter(({ user, isBackground }) => !isBackground && usedBy(user) === 0)
    if (visit.isBackground) expect(persons).toEqual([])
    for (const rival of rivals) {
      const isFirst = !rivals.some(
        (other) => other.id < rival.id && other.user === rival.user && other.isBackground === rival.isBackground,
      )
      if (rival.isBackground !== visit.isBackground || !isFirst || usedBy(rival.user) > usedBy(visit.user)) continue
      const passed = (rival.passedBy.get(visit.user) ?? 0) + 1
      rival.passedBy.set(visit.user, passed)
      // A user may pass a rival who has had no more units once or twice, but not again and again.
      expect(passed).toBeLessThanOrEqual(2)
    }
    for (const other of waiting()) if (other.user === visit.user) other.passedBy.clear()
    used.set(visit.user, usedBy(visit.user) + 1)
  }

  function assertResponse(visit: Visit, status: number): void {
    const { since, leavesAfter, user } = visit
    const waited = clock.now() - since
    // The handler responds at once to a visitor who leaves.
    if (leavesAfter !== undefined) expect(waited).toBeLessThanOrEqual(leavesAfter)
    if (waited === leavesAfter) return
    expect([201, 429, 503]).toContain(status)
    // Before the first response of all, calls wait for it for 5 s at most.
    expect(waited).toBeLessThanOrEqual(5_000 + latency + 1)
    if (status === 503) expect(maxQueued).toBeLessThan(1_000)
    // A user who has had no unit of this window gets one while there are any, if not for this call then for another.
    const sent = [...used.values()].reduce((sum, units) => sum + units, 0)
    // Other visitors who still wait may have the rest: the gate admits them before their requests are sent.
    const total = sent + visits.filter((other) => other.state === 'waits' && other.user !== user).length
    // The gate learns of a new window up to 2 s late.
    const isOpen = clock.now() < windowEnd && clock.now() > windowEnd - per + 2_000 && total < limit - 1
    if (status === 429 && waited < 5_000 && isOpen && usedBy(user) === 0) {
      const ownUnderWay = visits.filter((other) => other.user === user && other.state !== 'ended')
      expect(ownUnderWay.length).toBeGreaterThan(0)
    }
  }

  async function enter(plan: Plan, id: number): Promise<void> {
    const visit: Visit = { ...plan, id, since: clock.now(), state: 'waits', status: 0, passedBy: new Map() }
    visits[id] = visit
    const leaving = new AbortController()
    if (plan.leavesAfter !== undefined) clock.wakeAfter(plan.leavesAfter, () => leaving.abort())
    const headers = { Cookie: String(plan.user), 'Petstore-Priority': plan.isBackground ? 'background' : 'user' }
    const request = new Request(postDog(headers, { name: String(id) }), { signal: leaving.signal })
    const { status } = await handler(request)
    visit.state = 'ended'
    visit.status = status
    check(() => assertResponse(visit, status))
  }

  let at = 0
  for (const [id, plan] of all.entries()) {
    at += plan.after
    clock.wakeAfter(at, () => {
      enter(plan, id).catch((problem: unknown) => problems.push(problem))
      check(() => expect(waiting().length).toBeLessThanOrEqual(maxQueued))
    })
  }
  for (let turn = 0; turn < 3; turn += 1) await clock.run() // bodies arrive over several turns of the event loop
  return { visits, problems, refused: service.requests.filter(({ status }) => status === 429) }
}

const numRuns = Math.min(Math.ceil(runs.numRuns / 5), 500)

test(
  'users take turns, people go first, the queue is bounded, and every visit ends',
  async () => {
    const total = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(plans, quotas, async (all, quota) => {
        const { visits, problems, refused } = await play(all, quota)
        if (problems.length > 0) throw problems[0]
        expect(visits.filter(({ state }) => state !== 'ended')).toEqual([])
        expect(refused).toEqual([])
        for (const { status } of visits) total.set(status, (total.get(status) ?? 0) + 1)
      }),
      { ...runs, numRuns },
    )
    // The property says something only if all of this happens.
    for (const status of [201, 429, 499, 503]) expect(total.get(status)).toBeGreaterThan(numRuns / 2)
  },
  timeout,
)
