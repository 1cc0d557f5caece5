import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { drain } from '../../src/rate-limit/drain.ts'
import type { GateRecord } from '../../src/rate-limit/GateRecord.ts'
import { day, minute, paceOf } from '../../src/rate-limit/plan.ts'
import type { RateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import { createRequestQueue, type QueuedRequest } from '../../src/rate-limit/requestQueue.ts'
import { createPureGate, holdFor, type PureGate, type SentRequest } from './pureGate.ts'
import { runs, timeout } from './runs.ts'

const begin = Date.UTC(2026, 0, 1)
const pace = paceOf('free')

function property(name: string, check: fc.IRawProperty<unknown>): void {
  it(name, () => fc.assert(check, runs), timeout)
}

const upTo = (max: number) => fc.nat({ max })
const jitter = fc.constantFrom(0, 0.3, 0.999)
/** The status of a request that failed without an explanation; 0 without a response. */
const bareStatus = fc.constantFrom(0, 0, 502, 503, 504)
const readable = (remaining = 50): RateLimitHeaders => ({ limit: 60, remaining, resetAt: begin + day, date: begin })
const addresses = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']

/** What the gate knows of the key before the failures. */
interface Known {
  /** When a request last succeeded, in ms before the failures; `undefined` if none has. */
  readonly workedAgo: number | undefined
  /** What the window has left of 60; `undefined` where responses announce none. */
  readonly remaining: number | undefined
}
const known: fc.Arbitrary<Known> = fc.oneof(
  fc.record({
    workedAgo: upTo(100_000),
    remaining: fc.oneof(fc.constant(undefined), fc.integer({ min: 20, max: 59 })),
  }),
  fc.record({ workedAgo: fc.integer({ min: 301_000, max: 600_000 }), remaining: fc.constant(undefined) }),
  fc.constant({ workedAgo: undefined, remaining: undefined }),
)

/** Where fewer units are left, the failures themselves would use up half of the window. */
const isTrusted = ({ workedAgo = Infinity, remaining = 60 }: Known) => workedAgo <= 100_000 && remaining > 45
const isUntrusted = ({ workedAgo = Infinity, remaining = 60 }: Known) => workedAgo > 300_000 || remaining <= 30

function gateWith({ workedAgo, remaining }: Known): PureGate {
  const gate = createPureGate()
  if (workedAgo === undefined) return gate
  const first = gate.send(begin - workedAgo - 10)
  if (first)
    gate.end(first, begin - workedAgo, { status: 200, headers: remaining === undefined ? {} : readable(remaining) })
  return gate
}

function sendOrFail(gate: PureGate, ...args: Parameters<PureGate['send']>): SentRequest {
  const sent = gate.send(...args)
  if (!sent) throw new Error(`A request may not leave: ${JSON.stringify(gate.ask(...args))}`)
  return sent
}

const isPaused = (gate: PureGate) => gate.record.failures.pauseUntil > 0
const pauseLeft = (gate: PureGate, now: number) => gate.record.failures.pauseUntil - now

/** Calls fail one after the other until the key pauses. Returns when that was, and how many calls it took. */
function failUntilPaused(gate: PureGate, statuses: readonly number[], random = 0) {
  let now = begin
  let calls = 0
  while (!isPaused(gate)) {
    now += 2_100 // no longer in the pace of a gateway's burst
    const sent = sendOrFail(gate, now - 50, { address: addresses[calls % 12] ?? '' })
    gate.end(sent, now, { status: statuses[calls % statuses.length], jitter: random })
    calls += 1
  }
  return { now, calls }
}

type Happening =
  | { readonly type: 'send'; readonly after: number; readonly address: string; readonly isRetry: boolean }
  | { readonly type: 'end'; readonly after: number; readonly which: number; readonly how: How }
  | { readonly type: 'online'; readonly after: number }
type How = number | 'announced' | 'refused' | 'refused without headers' | 'aborted'

const after = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 900 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 9_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 400_000 }) },
)
const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof<fc.MaybeWeightedArbitrary<Happening>[]>(
    {
      weight: 12,
      arbitrary: fc.record({
        type: fc.constant('send' as const),
        after,
        address: fc.constantFrom('a', 'b', 'c'),
        isRetry: fc.boolean(),
      }),
    },
    {
      weight: 12,
      arbitrary: fc.record({
        type: fc.constant('end' as const),
        after,
        which: upTo(20),
        how: fc.oneof(
          { weight: 12, arbitrary: fc.constantFrom<How>(0, 0, 0, 502, 503) },
          { weight: 3, arbitrary: fc.constantFrom<How>(200, 404, 'announced', 'aborted') },
          { weight: 1, arbitrary: fc.constantFrom<How>('refused', 'refused without headers') },
        ),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('online' as const), after }) },
  ),
  { maxLength: 40 },
)

/** One request that ended, with the record before and after it, and what happened before. */
interface Ending {
  readonly now: number
  readonly sent: SentRequest
  readonly how: How
  readonly before: GateRecord
  readonly after: GateRecord
  /** When a response last showed that the key works; 0 if none has. */
  readonly succeededAt: number
  /** When the failures so far were last forgotten: by a success, a refusal, or a network that is back. */
  readonly clearedAt: number
  readonly refusedAt: number
}

/** Lets anything happen to a gate, and returns the requests that ended. */
function* play(gate: PureGate, all: readonly Happening[]): Generator<Ending> {
  const inFlight: SentRequest[] = []
  let now = begin
  let succeededAt = gate.record.failures.succeededAt
  let clearedAt = 0
  let refusedAt = 0
  for (const happening of all) {
    now += happening.after
    if (happening.type === 'send') {
      const { address, isRetry } = happening
      const sent = gate.send(now, { address, isRetry, calledAt: now })
      if (sent) inFlight.push(sent)
      continue
    }
    if (happening.type === 'online') {
      gate.online(now)
      clearedAt = now
      continue
    }
    const [sent] = inFlight.splice(happening.which % Math.max(1, inFlight.length), 1)
    if (!sent) continue
    const { how } = happening
    const before = gate.record
    gate.end(sent, now, responseOf(how))
    yield { now, sent, how, before, after: gate.record, succeededAt, clearedAt, refusedAt }
    if (how === 'refused' || how === 'refused without headers') clearedAt = refusedAt = now
    if (how === 200 || how === 404 || how === 'announced') clearedAt = succeededAt = now
  }
}

function responseOf(how: How) {
  if (how === 'aborted') return { status: undefined }
  if (how === 'announced') return { status: 200, headers: readable(59) }
  if (how === 'refused') return { status: 429, headers: { ...readable(0), retryIn: 3_000 } }
  if (how === 'refused without headers') return { status: 429, headers: { retryIn: 1_000 } }
  return { status: how }
}

const isFailure = (how: How) => how === 0 || how === 502 || how === 503

property(
  'G18: the key pauses exactly with the third call that failed since the last success, or the second one without a response where the key has not worked for five minutes',
  fc.property(known, happenings, (before, all) => {
    const gate = gateWith(before)
    let evidence: Ending[] = []
    for (const ending of play(gate, all)) {
      const { now, sent, how, succeededAt, clearedAt, refusedAt } = ending
      const isNewPause = ending.after.failures.pausedAt === now && ending.before.failures.pausedAt !== now
      evidence = evidence.filter((other) => other.now > clearedAt)
      const isEvidence = isFailure(how) && !sent.isRetry && sent.sentAt >= succeededAt && sent.sentAt > refusedAt
      if (isEvidence) evidence.push(ending)
      if (ending.before.failures.pauseUntil > 0) {
        // In an outage, a request that has left since the last pause, and nothing else, leads to the next one.
        const isProbe = sent.sentAt > ending.before.failures.pausedAt && sent.sentAt > refusedAt
        expect(isNewPause).toBe(isFailure(how) && isProbe)
        continue
      }
      const hasWorked = succeededAt > 0 && now - succeededAt <= 5 * minute
      expect(isNewPause).toBe(isEvidence && evidence.length >= (how !== 0 || hasWorked ? 3 : 2))
    }
  }),
)

const shortPauses = [1, 2, 4, 5, 5, 5, 16, 60, 60]
const longPauses = [1, 4, 16, 60, 60, 60]

property(
  'G18: pauses last 1, 2, 4, 5, 5, 5 s, then up to a minute, for a key that works and is mostly unused; else 1, 4, 16, 60 s',
  fc.property(
    known.filter((before) => isTrusted(before) || isUntrusted(before)),
    fc.array(fc.record({ status: bareStatus, rtt: upTo(1_500), late: upTo(2_000), jitter }), {
      minLength: 9,
      maxLength: 9,
    }),
    (before, probes) => {
      const gate = gateWith(before)
      const trusts = isTrusted(before)
      const [first] = probes
      let { now } = failUntilPaused(gate, [first?.status ?? 0], first?.jitter)
      let random = first?.jitter ?? 0
      for (const [index, seconds] of (trusts ? shortPauses : longPauses).entries()) {
        const slack = trusts ? 100 * random : 500 * (1 + random)
        expect(pauseLeft(gate, now)).toBe(Math.ceil(seconds * 1_000 + slack))
        const probe = probes[index % probes.length]
        if (!probe) return
        const opensAt = gate.record.failures.pauseUntil
        expect(gate.ask(opensAt - 1)).toMatchObject({ admitted: false, reason: 'failures', notBefore: opensAt })
        const sent = sendOrFail(gate, opensAt + probe.late, { isRetry: probe.rtt % 2 === 0 })
        now = opensAt + probe.late + probe.rtt
        random = probe.jitter
        gate.end(sent, now, { status: probe.status, jitter: random })
      }
    },
  ),
)

property(
  'G18: pauses start over if the request that failed had not waited for the last one',
  fc.property(known, bareStatus, fc.integer({ min: 2_001, max: 60_000 }), jitter, (before, status, late, random) => {
    const gate = gateWith(before)
    failUntilPaused(gate, [status])
    for (let probe = 0; probe < 3; probe += 1) {
      const sentAt = gate.record.failures.pauseUntil
      gate.end(sendOrFail(gate, sentAt), sentAt + 10, { status })
    }
    const sentAt = gate.record.failures.pauseUntil + late
    gate.end(sendOrFail(gate, sentAt), sentAt + 10, { status, jitter: random })
    expect(pauseLeft(gate, sentAt + 10)).toBeGreaterThanOrEqual(1_000)
    expect(pauseLeft(gate, sentAt + 10)).toBeLessThanOrEqual(2_000)
  }),
)

property(
  'G18: in an outage one request is under way at a time; the next one leaves two seconds later where it hangs',
  fc.property(
    known,
    bareStatus,
    upTo(3_000),
    upTo(8_000),
    fc.array(upTo(3), { minLength: 1 }),
    (before, status, late, hangs, kinds) => {
      const gate = gateWith(before)
      failUntilPaused(gate, [status])
      const opensAt = gate.record.failures.pauseUntil + late
      const probes: SentRequest[] = []
      let index = 0
      for (let passed = 0; passed <= hangs; passed += 100) {
        const kind = kinds[index++ % kinds.length] ?? 0
        const priority = kind === 0 ? 'background' : 'user'
        probes.push(
          ...gate.sendAll(opensAt + passed, 3, { priority, isRetry: kind === 1, calledAt: kind === 2 ? 0 : opensAt }),
        )
      }
      const expected = Array.from({ length: Math.floor(hangs / 2_000) + 1 }, (_, number) => opensAt + number * 2_000)
      expect(probes.map(({ sentAt }) => sentAt)).toEqual(expected)
    },
  ),
)

/** A queue in which old and new requests wait, in any order. */
interface Waiting {
  readonly address: string
  readonly kind: 'old' | 'retry' | 'background' | 'new'
}
const waiting = fc.array(
  fc.record<Waiting>({
    address: fc.constantFrom('a', 'b', 'x', 'y'),
    kind: fc.constantFrom('old', 'retry', 'background', 'new'),
  }),
  { minLength: 1, maxLength: 8 },
)

function queueOf(all: readonly Waiting[], pausedAt: number, now: number) {
  const queue = createRequestQueue()
  for (const [order, { address, kind }] of all.entries()) {
    queue.enqueue({
      id: `${kind} ${order}`,
      address,
      priority: kind === 'background' ? 'background' : 'user',
      isRetry: kind === 'retry',
      holdFor,
      order: kind === 'retry' ? -100 + order : order,
      deadline: Infinity,
      enteredAt: kind === 'new' || kind === 'retry' ? now - 1 : pausedAt - 1_000,
    })
  }
  return queue
}

function drainAt(gate: PureGate, queue: ReturnType<typeof queueOf>, now: number) {
  return drain(queue, gate.record, { now, monotonicNow: now, pace, page: 'page', inFlight: 0 })
}

property(
  'G18: in a pause, a call to an address that has not failed finds out at once, if the key has just worked and none such has failed; else what a person does now is the probe after two seconds, or ten for a key that is not trusted; nothing else leaves',
  fc.property(
    known.filter((before) => isTrusted(before) || isUntrusted(before)),
    bareStatus,
    upTo(8),
    waiting,
    (before, status, pauses, all) => {
      const gate = gateWith(before)
      const { now: firstPause } = failUntilPaused(gate, [status])
      let pausedAt = firstPause
      for (let probe = 0; probe < pauses; probe += 1) {
        const sentAt = gate.record.failures.pauseUntil
        pausedAt = sentAt + 20
        gate.end(sendOrFail(gate, sentAt), pausedAt, { status })
      }
      const { pauseUntil, probedAt } = gate.record.failures
      // After six probes without a success, a trusted key is like any other.
      const gap = isTrusted(before) && pauses < 6 ? 2_000 : 10_000
      const hasNew = all.some(({ kind }) => kind === 'new')
      const opensAt = hasNew ? Math.min(pauseUntil, Math.max(pausedAt + 2, probedAt + gap)) : pauseUntil
      const queue = queueOf(all, pausedAt, pausedAt + 2)
      const { addresses: failed, succeededAt, newAddresses } = gate.record.failures
      const isHealthy = ({ address }: Waiting | QueuedRequest) => !(address in failed)
      const hasWorked = succeededAt > 0 && pausedAt + 2 - succeededAt <= 300_000
      if (hasWorked && newAddresses === 0 && all.some(isHealthy)) {
        const { admitted } = drainAt(gate, queue, pausedAt + 2)
        expect(admitted).toHaveLength(1)
        expect(admitted.every(isHealthy)).toBe(true)
        return
      }
      for (const now of [pausedAt + 2, opensAt - 1]) {
        if (now < opensAt) expect(drainAt(gate, queue, now).admitted).toEqual([])
      }
      const { admitted } = drainAt(gate, queue, opensAt)
      expect(admitted).toHaveLength(1)
      if (opensAt === pauseUntil) return
      const [probe] = admitted
      const newest = all.findLastIndex(({ kind }) => kind === 'new')
      expect(probe?.id).toBe(`new ${newest}`)
    },
  ),
)

property(
  'G18: at the end of a pause the probe is a request to an address that has not failed, or to the one that failed the longest time ago, people first',
  fc.property(known, bareStatus, waiting, (before, status, all) => {
    const gate = gateWith(before)
    const { now } = failUntilPaused(gate, [status])
    const queue = queueOf(all, now, now + 2)
    const { admitted } = drainAt(gate, queue, gate.record.failures.pauseUntil)
    expect(admitted).toHaveLength(1)
    const [probe] = admitted
    const failedAt = ({ address }: Waiting | QueuedRequest) => gate.record.failures.addresses[address]?.failedAt ?? 0
    const oldest = Math.min(...all.map(failedAt))
    expect(probe && failedAt(probe)).toBe(oldest)
    const isUser = all.some((one) => failedAt(one) === oldest && one.kind !== 'background')
    expect(probe?.priority).toBe(isUser ? 'user' : 'background')
  }),
)

const ends = fc.constantFrom('a success', 'an error', 'a refusal', 'online')

property(
  'G18: any success, a readable refusal or a network that is back ends a pause at once',
  fc.property(
    known,
    bareStatus,
    upTo(4),
    ends,
    upTo(900),
    fc.boolean(),
    (before, status, pauses, how, ms, wasBefore) => {
      const gate = gateWith({ workedAgo: before.workedAgo ?? 1_000, remaining: Math.max(30, before.remaining ?? 50) })
      // It left before the failures.
      const early = sendOrFail(gate, begin + 1)
      failUntilPaused(gate, [status])
      let probe = early
      for (let count = 0; count < pauses; count += 1) {
        const sentAt = gate.record.failures.pauseUntil
        probe = sendOrFail(gate, sentAt)
        if (count < pauses - 1) gate.end(probe, sentAt + 20, { status })
      }
      const now = Math.max(gate.record.failures.pausedAt, probe.sentAt) + 1 + ms
      if (how === 'online') gate.online(now)
      else {
        const responses = {
          'a success': { status: 200, headers: readable(30) },
          'an error': { status: 404 },
          'a refusal': { status: 429, headers: { retryIn: 7_000 } },
        }
        gate.end(wasBefore ? early : probe, now, responses[how])
      }
      expect(isPaused(gate)).toBe(false)
      expect(gate.record.failures).toMatchObject({ count: 0, pauses: 0 })
      if (how === 'a refusal') expect(gate.ask(now)).toMatchObject({ reason: 'cooling-down', notBefore: now + 7_500 })
      else expect(gate.sendAll(now, 5)).toHaveLength(5)
    },
  ),
)

property(
  'G18: Retry-After on any status but 429 and 403 holds its address alone, for its time; it never ends earlier',
  fc.property(
    fc.integer({ min: 400, max: 599 }).filter((status) => status !== 429 && status !== 403),
    fc.boolean(),
    fc.constantFrom('seconds', 'date'),
    fc.integer({ min: 1, max: 600 }),
    jitter,
    fc.array(fc.record({ after: upTo(9_000), status: fc.constantFrom(200, 503, 404, 0), seconds: upTo(60) }), {
      maxLength: 5,
    }),
    (status, isBare, form, seconds, random, more) => {
      const gate = gateWith({ workedAgo: 10, remaining: 55 })
      const all = gate.sendAll(begin, 1 + more.length, { address: 'held' })
      const [first, ...others] = all
      if (!first) throw new Error('Nothing may leave.')
      const now = begin + 100
      const wait = form === 'seconds' ? { retryIn: seconds * 1_000 } : { retryDate: now + seconds * 1_000, date: now }
      gate.end(first, now, { status, headers: { ...(isBare ? {} : readable(50)), ...wait }, jitter: random })
      let opensAt = now + seconds * 1_000
      let time = now
      for (const [index, { after: ms, status: next, seconds: again }] of more.entries()) {
        time += ms
        const other = others[index]
        if (other) gate.end(other, time, { status: next, headers: next >= 400 ? { retryIn: again * 1_000 } : {} })
        if (next >= 400 && again > 0) opensAt = Math.max(opensAt, time + again * 1_000)
      }
      // Others are free, unless the failures speak of the key.
      if (!isPaused(gate)) expect(gate.send(time, { address: 'other' })).toBeDefined()
      const queue = queueOf([{ address: 'held', kind: 'new' }], 0, time)
      const leavesAt = (at: number) => drainAt(gate, queue, at).admitted.length
      if (time < opensAt) expect(leavesAt(opensAt - 1)).toBe(0)
      if (isPaused(gate)) return
      expect(leavesAt(Math.max(time, opensAt + 1_501))).toBe(1)
    },
  ),
)

/** A gate that lets several requests leave at once: in a window, or where as many have passed before. */
function openGate(hasWindow: boolean): PureGate {
  if (hasWindow) return gateWith({ workedAgo: 2_000, remaining: 59 })
  const gate = gateWith({ workedAgo: 2_000, remaining: undefined })
  for (let count = 0; count < 14; count += 1) {
    gate.end(sendOrFail(gate, begin - 1_900 + count), begin - 1_900 + count, { status: 200 })
  }
  return gate
}

/** When requests leave that are tried all the time, in ms from a time on. */
function departures(
  gate: PureGate,
  from: number,
  ms: number,
): { readonly sent: readonly SentRequest[]; readonly gaps: number[] } {
  const sent: SentRequest[] = []
  for (let time = from; time <= from + ms; time += 250) sent.push(...gate.sendAll(time, 30, { address: 'm' }))
  return { sent, gaps: sent.slice(1).map(({ sentAt }, index) => sentAt - (sent[index]?.sentAt ?? 0)) }
}

const bareReadable = fc.constantFrom(502, 503, 504)

property(
  'G18: bare refusals of eight addresses in one second ask for a request a second; each failure doubles that, a third one ends it',
  fc.property(
    fc.shuffledSubarray(addresses, { minLength: 1 }),
    fc.integer({ min: 1, max: 80 }),
    fc.array(bareReadable, { minLength: 12, maxLength: 12 }),
    (failing, step, statuses) => {
      const gate = openGate(true)
      const sent = addresses.map((address, index) => sendOrFail(gate, begin + index * step, { address }))
      let now = begin + 1_000
      for (const [index, address] of failing.entries()) {
        const one = sent.find((other) => other.address === address)
        if (one) gate.end(one, (now += 5), { status: statuses[index] })
      }
      const isBurst = failing.length >= 8
      // What was sent before shows that the key works.
      gate.end({ ...sendOrFail(createPureGate(), now), batch: 'other' }, (now += 5), { status: 200 })
      if (!isBurst) {
        expect(gate.ask(now)).not.toMatchObject({ reason: 'gateway' })
        return
      }
      for (const gap of [1_000, 2_000, 4_000]) {
        expect(gate.ask(now)).toMatchObject({ admitted: false, reason: 'gateway' })
        const { sent: paced, gaps } = departures(gate, now, 13_000)
        expect(gaps.length).toBeGreaterThan(1)
        expect(new Set(gaps)).toEqual(new Set([gap]))
        now += 13_001
        const [fails, ...succeed] = paced
        if (fails) gate.end(fails, now, { status: 503 })
        for (const one of succeed) gate.end(one, (now += 1), { status: 200 })
      }
      expect(gate.ask(now)).not.toMatchObject({ reason: 'gateway' })
    },
  ),
)

property(
  'G18: four requests in a row that pass halve the pace of a gateway, or twelve once one has failed; below half a second it ends',
  fc.property(
    fc.array(bareReadable, { minLength: 8, maxLength: 8 }),
    upTo(400),
    fc.boolean(),
    (statuses, rtt, hasFailed) => {
      const gate = openGate(true)
      const sent = statuses.map((_, index) => sendOrFail(gate, begin, { address: addresses[index] ?? '' }))
      for (const [index, one] of sent.entries()) gate.end(one, begin + 100, { status: statuses[index] })
      const other = { ...sendOrFail(createPureGate(), begin), batch: 'other' }
      gate.end(other, begin + 101, { status: 200 })
      let sentAt = begin + 100
      if (hasFailed) {
        gate.end(sendOrFail(gate, sentAt + 1_000), sentAt + 1_100, { status: 503 })
        sentAt += 1_100
      }
      const gaps = hasFailed ? [2_000, 1_000, 500] : [1_000, 500]
      for (const gap of gaps.flatMap((each) => Array<number>(hasFailed ? 12 : 4).fill(each))) {
        expect(gate.ask(sentAt + gap - 1)).toMatchObject({ reason: 'gateway', notBefore: sentAt + gap })
        sentAt += gap
        gate.end(sendOrFail(gate, sentAt), sentAt + rtt, { status: 200 })
      }
      expect(gate.sendAll(sentAt + rtt, 5)).toHaveLength(5)
    },
  ),
)

property(
  'G18: failures at a calm pace, lost responses and one broken address ask for no pace',
  fc.property(
    fc.boolean(),
    fc.constantFrom('calm' as const, 'lost' as const, 'one address' as const),
    fc.array(fc.record({ more: upTo(400), fails: fc.integer({ min: 0, max: 2 }), status: bareReadable }), {
      maxLength: 40,
    }),
    (hasWindow, kind, all) => {
      const gate = openGate(hasWindow)
      let now = begin
      for (const [index, { more, fails, status }] of all.entries()) {
        // Of a calm flow up to seven requests leave in a second; two where no window is known, four where all are lost.
        const flowStep = hasWindow ? 143 : 500
        const steps = { calm: flowStep + more, lost: 250 + more, 'one address': more / 10 }
        now += steps[kind]
        const broken = fails > 0 ? 'a' : 'b'
        const address = kind === 'one address' ? broken : (addresses[index % 12] ?? '')
        const sent = gate.send(now, { address })
        expect(gate.ask(now)).not.toMatchObject({ reason: 'gateway' })
        if (!sent) continue
        const failed = kind === 'lost' ? 0 : status
        gate.end(
          sent,
          now + more,
          fails > 0 ? { status: failed } : { status: 200, headers: hasWindow ? readable(55) : {} },
        )
        now += more
      }
    },
  ),
)

property(
  'G18: two failures in a row without a response ask for a pace, too, among eight requests of one second of which some have passed',
  fc.property(
    fc.array(fc.boolean(), { minLength: 6, maxLength: 12 }),
    fc.integer({ min: 1, max: 80 }),
    (passes, step) => {
      const gate = openGate(true)
      const sent = passes.map((_, index) => sendOrFail(gate, begin + index * step, { address: addresses[index] ?? '' }))
      let isPaced = false
      for (const [index, one] of sent.entries()) {
        gate.end(one, begin + 900 + index, { status: passes[index] ? 200 : 0 })
        const isSecond = index > 0 && !passes[index] && !passes[index - 1]
        isPaced ||= passes.length >= 8 && isSecond && passes.slice(0, index).includes(true)
        expect(gate.record.failures.gateway.gap > 0).toBe(isPaced)
      }
    },
  ),
)
