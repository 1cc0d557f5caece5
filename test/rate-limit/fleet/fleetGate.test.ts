import { beforeEach, expect, it } from 'vitest'
import { createFleetGate } from '../../../src/rate-limit/fleet/createFleetStore.ts'
import { emptyRecord, type GateRecord, noFailures } from '../../../src/rate-limit/GateRecord.ts'
import { countInFlight } from '../../../src/rate-limit/windows.ts'
import type { PageGate } from '../../../src/rate-limit/pageGate.ts'
import { paceOf } from '../../../src/rate-limit/plan.ts'
import { createRequestQueue, type QueuedRequest, type RequestQueue } from '../../../src/rate-limit/requestQueue.ts'
import { createVirtualClock, type VirtualClock } from '../virtualClock.ts'

const start = 1_000_000_000
const withRemaining = (remaining: number): GateRecord => ({
  ...emptyRecord,
  updatedAt: start,
  windows: [{ limit: 1_000, remaining, reset: start + 60_000, resetAt: start + 60_000 }],
})

let clock: VirtualClock
let queue: RequestQueue<QueuedRequest>
let gate: PageGate<QueuedRequest>
let processes: number
let sent: number
/** As the store has it, with twenty requests in flight and twenty units that the process holds ahead. */
let record: GateRecord

function enqueue(count: number): void {
  for (let more = 0; more < count; more += 1) {
    const id = `request ${sent}.${more}`
    const request = {
      address: 'categories',
      isRetry: false,
      priority: 'user',
      deadline: Infinity,
      enteredAt: 0,
    } as const
    queue.enqueue({ ...request, id, order: more, holdFor: 5_000 })
  }
}

/** Lets the requests leave that were admitted. */
function leave(admitted: readonly QueuedRequest[]): number {
  for (const { id } of admitted) queue.remove(id)
  sent += admitted.length
  return admitted.length
}

/** How many of some requests leave by the units that the process holds. */
function leaveAlone(count: number, known: GateRecord = record): number {
  enqueue(count)
  const result = gate.fleet?.decideAlone(known, clock.now())
  if (result) gate.join(result)
  return leave(result?.admitted ?? [])
}

beforeEach(() => {
  clock = createVirtualClock(start)
  queue = createRequestQueue()
  processes = 1
  sent = 0
  const sentRequests = {
    batches: [],
    get count() {
      return sent
    },
  }
  const isCutOff = () => processes > 1
  const page = {
    name: 'key',
    clock,
    pace: paceOf('free'),
    queue,
    sent: sentRequests,
    isCutOff,
    owner: () => undefined,
    random: () => 0,
  }
  gate = createFleetGate(page, () => processes)
  gate.enter('me')
  enqueue(20)
  const result = gate.decide(withRemaining(480), start)
  record = result.record
  gate.join(result)
  leave(result.admitted)
})

it('holds as many units ahead as it has used, and they count as in flight', () => {
  expect([sent, countInFlight(record)]).toEqual([20, 40])
})

it('lets requests leave by them until they are used up', () => {
  expect([leaveAlone(15), leaveAlone(5), leaveAlone(1)]).toEqual([15, 5, 0])
})

it('asks the store for all of them if it holds too few', () => {
  expect(leaveAlone(21)).toBe(0)
})

it('gives back what it has not used, and no more', () => {
  leaveAlone(15)
  processes = 2 // it takes no new ones
  expect(countInFlight(gate.decide(record, clock.now()).record)).toBe(35)
})

it.each<[string, (known: GateRecord) => GateRecord]>([
  ['in a cool-down', (known) => ({ ...known, cooldownUntil: start + 1 })],
  [
    'in a pause after failures',
    (known) => ({ ...known, failures: { ...noFailures, count: 3, pausedAt: start, pauseUntil: start + 1 } }),
  ],
  ['where the service has fewer left than all hold', (known) => ({ ...known, windows: withRemaining(39).windows })],
  ['where no window is known', (known) => ({ ...known, windows: [] })],
  ['where its lease has expired', (known) => ({ ...known, inFlight: {} })],
  [
    'while another process waits',
    (known) => ({ ...known, waiting: { other: { user: true, background: false, from: start, served: 0 } } }),
  ],
])('lets no request leave by them %s', (_when, change) => {
  expect(leaveAlone(1, change(record))).toBe(0)
  expect(leaveAlone(0, record)).toBe(1)
})

it('lets none leave while it does not know of the others, or when their time is over', async () => {
  processes = 2
  expect(leaveAlone(1)).toBe(0)
  processes = 1
  await clock.run(start + 2_750)
  expect(leaveAlone(0)).toBe(0)
})

it('lets requests leave by them while it renews their lease', async () => {
  await clock.run(start + 2_500)
  expect(gate.fleet?.updateAt(Infinity, clock.now())).toBe(clock.now())
  expect(leaveAlone(1)).toBe(1)
})

it('has to update the store when their time is over, and to renew its lease', () => {
  expect(gate.fleet?.updateAt(Infinity, start)).toBeCloseTo(start + 5_000 / 2)
  leaveAlone(20)
  expect(gate.fleet?.updateAt(Infinity, start)).toBeCloseTo(start + 5_000 / 2)
  sent = 0
  expect(gate.fleet?.updateAt(Infinity, start)).toBe(Infinity)
})

it('stores the response of a single call before the process may exit', () => {
  sent = 0
  gate.fleet?.count(1)
  expect(gate.fleet?.mayExit()).toBe(true)
  sent = 1
  expect(gate.fleet?.mayExit()).toBe(false)
  sent = 0
  gate.fleet?.count(1)
  expect(gate.fleet?.mayExit()).toBe(false)
})
