import { beforeEach, expect, it } from 'vitest'
import type { LaneRefusal } from '../../src/rate-limit/drain.ts'
import type { Priority } from '../../src/rate-limit/gate.ts'
import { createRequestQueue, type RequestQueue } from '../../src/rate-limit/requestQueue.ts'
import type { Wait, WaitReason } from '../../src/rate-limit/Wait.ts'
import { createWaitNotifier, type NotifiedRequest } from '../../src/rate-limit/pendingRequest.ts'
import { queued } from './requestQueue.setup.ts'
import { createVirtualClock, type VirtualClock } from './virtualClock.ts'

const start = 1_000_000

let clock: VirtualClock
let queue: RequestQueue<NotifiedRequest>
let notify: (refusals: ReadonlyMap<Priority, LaneRefusal>, now: number) => void
let told: string[]

beforeEach(() => {
  clock = createVirtualClock(start)
  queue = createRequestQueue()
  notify = createWaitNotifier(queue, clock)
  told = []
})

function add(id: string, priority: Priority = 'user', fields: Partial<NotifiedRequest> = {}): void {
  const onWait = ({ until, isEarliest }: Wait) => told.push(`${id} ${isEarliest ? '≥ ' : ''}${(until - start) / 1_000}`)
  const deadline = clock.monotonic() + 65_000
  queue.enqueue({ ...queued(id), priority, deadline, enteredAt: clock.monotonic(), told: undefined, onWait, ...fields })
}

interface Opening {
  /** When the first one leaves, in s from the start. */
  readonly from: number
  /** How many leave at once. Default: all. */
  readonly units?: number
  /** The time from these to the next ones, in s. */
  readonly period?: number
  readonly reason?: WaitReason
  readonly isEarliest?: boolean
  /** Whether they only wait for responses. */
  readonly waitsForResponse?: boolean
}

function refusalOf(opening: Opening): LaneRefusal {
  const { from, units = Infinity, period = 60, reason = 'rate-limit', isEarliest = false } = opening
  const timeOf = (place: number) => start + (from + (place < units ? 0 : Math.floor(place / units) * period)) * 1_000
  return {
    reason: 'used-up',
    notBefore: opening.waitsForResponse ? clock.now() : timeOf(0),
    firstPlace: 0,
    places: {
      at: (place) => ({ until: timeOf(place), reason, isEarliest }),
      opensAt: timeOf,
      key: (departed) => `${reason} ${from} ${units + departed}`,
    },
  }
}

/** What `onWait` was called with. */
function toldOf(openings: Partial<Record<Priority, Opening>>): string {
  told = []
  const { user, background } = openings
  const refusals = new Map<Priority, LaneRefusal>()
  if (user) refusals.set('user', refusalOf(user))
  if (background) refusals.set('background', refusalOf(background))
  notify(refusals, clock.now())
  return told.join(', ')
}

it('tells each new request the time of its place', () => {
  for (const id of ['a', 'b', 'c', 'd', 'e']) add(id)
  expect(toldOf({ user: { from: 2, units: 2, period: 10 } })).toBe('a 2, b 2, c 12, d 12, e 22')
  add('f')
  expect(toldOf({ user: { from: 2, units: 2, period: 10 } })).toBe('f 22')
})

it('tells the others again when their time moves by a second, later or earlier, and for no less', () => {
  add('a')
  expect(toldOf({ user: { from: 20 } })).toBe('a 20')
  expect(toldOf({ user: { from: 20.999 } })).toBe('')
  expect(toldOf({ user: { from: 21 } })).toBe('a 21')
  expect(toldOf({ user: { from: 3 } })).toBe('a 3')
})

it('tells the others again when their reason changes, or how sure the time is', () => {
  add('a')
  toldOf({ user: { from: 20 } })
  expect(toldOf({ user: { from: 20, reason: 'connection' } })).toBe('a 20')
  expect(toldOf({ user: { from: 20.1, reason: 'connection', isEarliest: true } })).toBe('a ≥ 20.1')
})

it('tells those behind a request that has gone, and nobody when the first ones leave with their units', () => {
  for (const id of ['a', 'b', 'c', 'd']) add(id)
  expect(toldOf({ user: { from: 2, units: 2 } })).toBe('a 2, b 2, c 62, d 62')
  queue.remove('b')
  expect(toldOf({ user: { from: 2, units: 2 } })).toBe('c 2')
  queue.remove('a')
  expect(toldOf({ user: { from: 2, units: 1 } })).toBe('')
})

it('tells who waits for a response when that has taken a second, until when at the latest', async () => {
  add('a')
  const opening = { from: 9, isEarliest: true, waitsForResponse: true }
  expect(toldOf({ user: opening })).toBe('')
  await clock.run(start + 999)
  expect(toldOf({ user: opening })).toBe('')
  await clock.run(start + 1_000)
  expect(toldOf({ user: opening })).toBe('a ≥ 9')
  // What was told still holds.
  expect(toldOf({ user: { ...opening, from: 12 } })).toBe('')
})

it('tells no time past the deadline', () => {
  add('a', 'user', { deadline: clock.monotonic() + 5_000 })
  expect(toldOf({ user: { from: 20 } })).toBe('a 5')
})

it('tells each priority its own time', () => {
  add('a')
  add('b', 'background')
  add('c', 'background')
  expect(toldOf({ user: { from: 2 }, background: { from: 5 } })).toBe('a 2, b 5, c 5')
  queue.prioritize('b')
  expect(toldOf({ user: { from: 5.5 }, background: { from: 5 } })).toBe('a 5.5')
  expect(toldOf({ user: { from: 7 }, background: { from: 5 } })).toBe('a 7, b 7')
})
