import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyRecord, type GateRecord, readRecord } from '../../src/rate-limit/GateRecord.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import {
  createRateLimiter,
  type EnterRequest,
  type Permit,
  type RateLimiter,
  type RateLimiterOptions,
  MaxWaitExceeded,
} from '../../src/rate-limit/rateLimiter.ts'
import type { RateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { createVirtualClock, promisesKept, type VirtualClock } from './virtualClock.ts'

const start = Date.UTC(2026, 0, 1)
const name = 'key'

let clock: VirtualClock
let memory: RateLimitStore
let store: RateLimitStore
/** How often the store was asked, and how many listen to it. */
let updates: number
let listening: number
/** What happens next between a decision of the store and its response. */
let meanwhile: (() => unknown) | undefined

beforeEach(() => {
  clock = createVirtualClock(start, promisesKept)
  memory = createMemoryStore()
  updates = 0
  listening = 0
  meanwhile = undefined
  store = {
    update: async (key, change) => {
      updates += 1
      await memory.update(key, change)
      const happens = meanwhile
      meanwhile = undefined
      await happens?.()
    },
    subscribe: (key, listener) => {
      listening += 1
      const stop = memory.subscribe(key, listener)
      return () => {
        listening -= 1
        stop()
      }
    },
  }
})

const createLimiter = (options: Partial<RateLimiterOptions> = {}) =>
  createRateLimiter({ name, store, pace: paceOf('free'), clock, random: () => 0, warn: () => {}, ...options })

/** Lets all that has been promised by now happen. */
const settled = () => clock.run(clock.now())

async function stored(): Promise<GateRecord> {
  let found = emptyRecord
  await memory.update(name, (value) => {
    found = readRecord(value)
    return value
  })
  return found
}

/** Another tab writes a record. */
const write = (fields: Partial<GateRecord>) =>
  memory.update(name, (value) => ({ ...readRecord(value), updatedAt: clock.now(), ...fields }))

interface Visitor {
  permit?: Permit
  error?: unknown
  readonly waits: number[]
  readonly abort: (reason?: unknown) => void
}

let orders = 0
function enter(limiter: RateLimiter, id: string, fields: Partial<EnterRequest> = {}): Visitor {
  const controller = new AbortController()
  const visitor: Visitor = { waits: [], abort: (reason) => controller.abort(reason) }
  limiter
    .enter({
      id,
      priority: 'user',
      order: orders++,
      deadline: clock.now() + 65_000,
      holdFor: 31_000,
      signal: controller.signal,
      onWait: (until) => visitor.waits.push(until),
      ...fields,
    })
    .then(
      (permit) => {
        visitor.permit = permit
      },
      (error: unknown) => {
        visitor.error = error
      },
    )
  return visitor
}

const left = (remaining: number): RateLimitHeaders => ({
  date: start,
  limit: 60,
  remaining,
  resetAt: start + 30_000,
})
const isIn = (visitors: readonly Visitor[]) => visitors.map(({ permit }) => permit !== undefined)

/** A limiter that has heard that so many requests are left. */
async function knowing(remaining: number, options: Partial<RateLimiterOptions> = {}): Promise<RateLimiter> {
  const limiter = createLimiter(options)
  const first = enter(limiter, 'first')
  await settled()
  await first.permit?.release({ rateLimitHeaders: left(remaining), refused: false })
  return limiter
}

describe('entering', () => {
  it('one goes first, the others when its response tells what is left', async () => {
    const limiter = createLimiter()
    const visitors = ['a', 'b', 'c', 'd'].map((id) => enter(limiter, id))
    await settled()
    expect(isIn(visitors)).toEqual([true, false, false, false])
    expect(visitors[0]?.permit?.sentAt).toBe(start)
    await visitors[0]?.permit?.release({ rateLimitHeaders: left(2), refused: false })
    expect(isIn(visitors)).toEqual([true, true, true, false])
  })

  it('many at once are one question to the store, many responses too', async () => {
    const limiter = await knowing(9)
    updates = 0
    const visitors = ['a', 'b', 'c'].map((id) => enter(limiter, id))
    await settled()
    expect([isIn(visitors), updates]).toEqual([[true, true, true], 1])
    await Promise.all(
      visitors.map(async ({ permit }) => permit?.release({ rateLimitHeaders: left(6), refused: false })),
    )
    expect(updates).toBe(2)
    expect((await stored()).inFlight).toEqual({})
  })

  it('what others change while the store is asked is no reason to ask it once more', async () => {
    const limiter = await knowing(9)
    updates = 0
    meanwhile = () => write({ consecutive429s: 1 })
    const visitor = enter(limiter, 'a')
    await settled()
    expect([visitor.permit?.sentAt, updates]).toEqual([start, 1])
  })

  it('people pass background work; what is lifted is people’s work', async () => {
    const limiter = createLimiter()
    const [probe, one, other] = ['probe', 'one', 'other'].map((id) => enter(limiter, id, { priority: 'background' }))
    const person = enter(limiter, 'person')
    await settled()
    expect(isIn([person, ...(probe ? [probe] : [])])).toEqual([true, false])
    limiter.prioritize('other')
    limiter.prioritize('stranger')
    await person.permit?.release({ rateLimitHeaders: left(1), refused: false })
    expect([one?.permit, other?.permit?.sentAt]).toEqual([undefined, start])
  })

  it('who would wait too long is told so, and when there would be hope', async () => {
    const limiter = await knowing(0)
    const hasty = enter(limiter, 'hasty', { deadline: start + 30_499 })
    const patient = enter(limiter, 'patient', { deadline: start + 30_500 })
    await settled()
    expect(hasty.error).toBeInstanceOf(MaxWaitExceeded)
    expect(hasty.error).toMatchObject({
      name: 'MaxWaitExceeded',
      message: 'The wait would be too long.',
      retryAt: start + 30_500,
    })
    expect([patient.permit, patient.error]).toEqual([undefined, undefined])
  })

  it('is told how long it has to wait: once, and again only if longer', async () => {
    const limiter = await knowing(0)
    const visitor = enter(limiter, 'a')
    const { signal } = new AbortController()
    void limiter.enter({ id: 'silent', priority: 'user', order: 0, deadline: start + 65_000, holdFor: 1, signal })
    await settled()
    expect(visitor.waits).toEqual([start + 30_500])
    enter(limiter, 'b')
    await settled()
    expect(visitor.waits).toEqual([start + 30_500])
    await write({ cooldownUntil: start + 40_000 })
    enter(limiter, 'c')
    await settled()
    expect(visitor.waits).toEqual([start + 30_500, start + 40_000])
  })

  it('waiting for responses is no wait to tell of', async () => {
    const limiter = createLimiter()
    enter(limiter, 'a')
    const visitor = enter(limiter, 'b')
    await settled()
    expect(visitor.waits).toEqual([])
  })
})

describe('time', () => {
  it('wakes those who wait when the gate opens: one probe', async () => {
    const limiter = await knowing(0)
    const visitors = [enter(limiter, 'a'), enter(limiter, 'b')]
    await clock.run(start + 30_499)
    expect(isIn(visitors)).toEqual([false, false])
    await clock.run(start + 30_500)
    expect(isIn(visitors)).toEqual([true, false])
    expect(visitors[0]?.permit?.sentAt).toBe(start + 30_500)
  })

  it('rejects at its deadline who waits for a response', async () => {
    const limiter = createLimiter()
    enter(limiter, 'a')
    const visitor = enter(limiter, 'b', { deadline: start + 5_000 })
    await clock.run(start + 4_999)
    expect(visitor.error).toBeUndefined()
    await clock.run(start + 5_000)
    expect(visitor.error).toMatchObject({ retryAt: start + 6_000 })
  })

  it('lets others pass when a request is given up for lost', async () => {
    const limiter = createLimiter()
    enter(limiter, 'a', { holdFor: 10_000 })
    const visitor = enter(limiter, 'b')
    await clock.run(start + 9_999)
    expect(visitor.permit).toBeUndefined()
    await clock.run(start + 10_000)
    expect(visitor.permit?.sentAt).toBe(start + 10_000)
  })

  it('no store is asked while nothing can have changed', async () => {
    const limiter = await knowing(0)
    enter(limiter, 'a')
    await settled()
    updates = 0
    await clock.run(start + 30_499)
    expect(updates).toBe(0)
  })

  it('a longer wait than a timer takes is waited in parts', async () => {
    const waits: number[] = []
    const limiter = createLimiter({
      clock: {
        ...clock,
        wakeAfter: (ms, wake) => {
          waits.push(ms)
          return clock.wakeAfter(ms, wake)
        },
      },
    })
    enter(limiter, 'a', { holdFor: 8e7, deadline: Number.POSITIVE_INFINITY })
    enter(limiter, 'b', { deadline: Number.POSITIVE_INFINITY })
    await settled()
    expect(waits.at(-1)).toBe(8e7)
    await write({ inFlight: { a: { sentAt: start, until: start + 3e9 } }, cooldownUntil: start + 3e9 })
    await settled()
    expect(waits.every((ms) => ms > 0 && ms <= 2 ** 31 - 1)).toBe(true)
  })
})

describe('an abort', () => {
  it('before entering: the store is not asked', async () => {
    const limiter = createLimiter()
    const visitor = enter(limiter, 'a', { signal: AbortSignal.abort('gone') })
    await settled()
    expect([visitor.error, updates]).toEqual(['gone', 0])
  })

  it('while waiting: gone at once, and the next moves up', async () => {
    const limiter = createLimiter()
    const [first, second, third] = [enter(limiter, 'a'), enter(limiter, 'b'), enter(limiter, 'c')]
    await settled()
    second.abort('gone')
    await settled()
    expect(second.error).toBe('gone')
    await first.permit?.release({ rateLimitHeaders: left(1), refused: false })
    expect([second.permit, third.permit?.sentAt]).toEqual([undefined, start])
  })

  it('while the store decides: the unit is given back, and taken by the next', async () => {
    const limiter = await knowing(1)
    const [first, second] = [enter(limiter, 'a'), enter(limiter, 'b')]
    meanwhile = () => first.abort('gone')
    await settled()
    expect([first.error, first.permit, second.permit?.sentAt]).toEqual(['gone', undefined, start])
    expect(Object.keys((await stored()).inFlight)).toEqual(['b'])
  })

  it('while the store decides that the wait would be too long: nothing more is said, and others go on', async () => {
    const limiter = await knowing(0)
    const visitor = enter(limiter, 'a', { deadline: start + 1 })
    meanwhile = () => visitor.abort('gone')
    const other = enter(limiter, 'b')
    await clock.run(start + 30_500)
    expect([visitor.error, other.permit?.sentAt]).toEqual(['gone', start + 30_500])
  })

  it('of the only one who waits: no timer stays behind', async () => {
    const limiter = await knowing(0)
    const visitor = enter(limiter, 'a')
    await settled()
    visitor.abort()
    await clock.run()
    expect(clock.now()).toBe(start)
  })

  it('after it was let in changes nothing here', async () => {
    const limiter = createLimiter()
    const visitor = enter(limiter, 'a')
    await settled()
    visitor.abort('late')
    await settled()
    expect([visitor.error, visitor.permit?.sentAt]).toEqual([undefined, start])
    expect(Object.keys((await stored()).inFlight)).toEqual(['a'])
  })

  it('no signal is listened to after the end', async () => {
    const limiter = await knowing(1)
    const removed: string[] = []
    const listened = () => {
      const { signal } = new AbortController()
      vi.spyOn(signal, 'removeEventListener').mockImplementation((type) => removed.push(type))
      return signal
    }
    enter(limiter, 'admitted', { signal: listened() })
    await settled()
    expect(removed).toEqual(['abort'])
    await write({ cooldownUntil: start + 20_000 })
    enter(limiter, 'rejected', { signal: listened(), deadline: start + 1 })
    await settled()
    expect(removed).toEqual(['abort', 'abort'])
  })
})

describe('an admission that the store took long to give', () => {
  const slowly = (ms: number, happens: () => unknown = () => {}) => {
    meanwhile = async () => {
      await happens()
      await new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))
    }
  }

  it('is as good as new for a second', async () => {
    const limiter = createLimiter()
    slowly(1_000)
    const visitor = enter(limiter, 'a')
    await clock.run(start + 1_000)
    expect([visitor.permit?.sentAt, updates]).toEqual([start, 1])
  })

  it('later it holds if nothing has come between; the request leaves then', async () => {
    const limiter = createLimiter()
    slowly(1_001)
    const visitor = enter(limiter, 'a')
    await clock.run(start + 1_001)
    expect([visitor.permit?.sentAt, updates]).toEqual([start + 1_001, 1])
  })

  it('but not in a cool-down that others have begun since', async () => {
    const limiter = createLimiter()
    slowly(1_500, () => write({ cooldownUntil: start + 10_000 }))
    const visitor = enter(limiter, 'a')
    await clock.run(start + 1_500)
    expect([visitor.permit, visitor.waits]).toEqual([undefined, [start + 10_000]])
    expect((await stored()).inFlight).toEqual({})
    await clock.run(start + 10_000)
    expect(visitor.permit?.sentAt).toBe(start + 10_000)
  })

  it('though at the very end of one', async () => {
    const limiter = createLimiter()
    slowly(1_500, () => write({ cooldownUntil: start + 1_500 }))
    const visitor = enter(limiter, 'a')
    await clock.run(start + 1_500)
    expect([visitor.permit?.sentAt, updates]).toEqual([start + 1_500, 1])
  })

  it('nor where its lease has run out, or is gone', async () => {
    const limiter = createLimiter()
    slowly(1_500)
    const short = enter(limiter, 'short', { holdFor: 1_500 })
    await clock.run(start + 1_500)
    expect([short.permit?.sentAt, updates]).toEqual([start + 1_500, 2])
    await short.permit?.release({ rateLimitHeaders: left(9), refused: false })
    updates = 0
    slowly(1_500, () => write({ inFlight: {} }))
    const gone = enter(limiter, 'gone')
    await clock.run(start + 3_000)
    expect([gone.permit?.sentAt, updates]).toEqual([start + 3_000, 2])
  })
})

describe('settling', () => {
  it('with a response tells the gate of it', async () => {
    const limiter = createLimiter({ random: () => 1 })
    const visitor = enter(limiter, 'a')
    await settled()
    await clock.run(start + 200)
    await visitor.permit?.release({
      rateLimitHeaders: { ...left(0), date: start + 200, retryIn: 4_000 },
      refused: true,
    })
    expect(await stored()).toMatchObject({
      cooldownUntil: start + 31_000,
      cooldownStartedAt: start + 200,
      inFlight: {},
    })
    expect(limiter.retryAt()).toBe(start + 31_000)
  })

  it('with nothing gives it up for lost: once', async () => {
    const limiter = await knowing(5)
    const visitor = enter(limiter, 'a')
    await settled()
    await visitor.permit?.release()
    await visitor.permit?.release()
    expect(await stored()).toMatchObject({ windows: [{ remaining: 4 }], inFlight: {} })
  })

  it('knows when the request left, also when its lease has run out', async () => {
    const limiter = createLimiter()
    const visitor = enter(limiter, 'a', { holdFor: 1_000 })
    await clock.run(start + 5_000)
    await write({ cooldownStartedAt: start + 1 })
    await visitor.permit?.release({ rateLimitHeaders: left(5), refused: false })
    expect((await stored()).windows).toEqual([])
  })

  it('resolves when the gate has taken it in', async () => {
    const limiter = createLimiter()
    const visitor = enter(limiter, 'a')
    await settled()
    await visitor.permit?.release({ rateLimitHeaders: left(7), refused: false })
    expect(limiter.getSnapshot().remaining).toBe(7)
  })
})

describe('the snapshot', () => {
  it('is the same object until it says something else', async () => {
    const limiter = createLimiter()
    const unknown = limiter.getSnapshot()
    expect(unknown.status).toBe('unknown')
    const visitor = enter(limiter, 'a')
    await settled()
    expect(limiter.getSnapshot()).toBe(unknown)
    await visitor.permit?.release({ rateLimitHeaders: left(30), refused: false })
    expect(limiter.getSnapshot()).toMatchObject({ status: 'ok', remaining: 30, limit: 60 })
  })

  it('is told of when it changes, and only then, until the end of the subscription', async () => {
    const limiter = createLimiter()
    let calls = 0
    const stop = limiter.subscribe(() => (calls += 1))
    await settled()
    expect(calls).toBe(0)
    await write({ cooldownUntil: start + 5_000 })
    expect([calls, limiter.getSnapshot().status]).toEqual([1, 'cooling-down'])
    await write({ cooldownUntil: start + 5_000, consecutive429s: 1 })
    expect(calls).toBe(1)
    stop()
    await write({ cooldownUntil: start + 9_000 })
    expect(calls).toBe(1)
  })

  it('changes by time for those who have subscribed', async () => {
    const limiter = await knowing(0)
    const statuses: string[] = []
    limiter.subscribe(() => statuses.push(limiter.getSnapshot().status))
    expect(limiter.getSnapshot().status).toBe('exhausted')
    await clock.run(start + 30_499)
    expect(statuses).toEqual([])
    await clock.run()
    expect([statuses, clock.now()]).toEqual([['unknown'], start + 30_500])
  })

  it('one function that subscribed twice is called twice, and removed once', async () => {
    const limiter = createLimiter()
    let calls = 0
    const listener = () => void (calls += 1)
    const stop = limiter.subscribe(listener)
    limiter.subscribe(listener)
    await write({ cooldownUntil: start + 5_000 })
    await settled()
    expect(calls).toBe(2)
    stop()
    await write({ cooldownUntil: start + 6_000 })
    expect(calls).toBe(3)
  })

  it('that one listener ends another’s subscription harms nobody', async () => {
    const limiter = createLimiter()
    let calls = 0
    const stop = limiter.subscribe(() => {
      calls += 1
      stop()
    })
    limiter.subscribe(() => (calls += 1))
    await settled()
    await write({ cooldownUntil: start + 5_000 })
    expect(calls).toBe(2)
  })

  it('who subscribes learns what is stored already', async () => {
    await write({ cooldownUntil: start + 5_000 })
    const limiter = createLimiter()
    limiter.subscribe(() => {})
    await settled()
    expect(limiter.getSnapshot()).toMatchObject({ status: 'cooling-down', retryAt: start + 5_000 })
  })
})

it('when a request may leave: after the cool-down, else now', async () => {
  const limiter = createLimiter()
  expect(limiter.retryAt()).toBe(start)
  limiter.subscribe(() => {})
  await settled()
  await write({ cooldownUntil: start + 5_000 })
  expect(limiter.retryAt()).toBe(start + 5_000)
})

describe('a reset', () => {
  it('forgets all but what is under way, and lets in who waits', async () => {
    const limiter = await knowing(1)
    enter(limiter, 'under way')
    await settled()
    await write({ cooldownUntil: start + 50_000, consecutive429s: 5 })
    const visitor = enter(limiter, 'a')
    await settled()
    expect(visitor.permit).toBeUndefined()
    await limiter.reset()
    expect(await stored()).toEqual({
      ...emptyRecord,
      updatedAt: start,
      inFlight: { 'under way': { sentAt: start, until: start + 31_000 } },
    })
    expect(limiter.getSnapshot().status).toBe('unknown')
    await clock.run(start + 31_000)
    expect(visitor.permit?.sentAt).toBe(start + 31_000)
  })

  it('happens once', async () => {
    const limiter = createLimiter()
    await limiter.reset()
    await write({ cooldownUntil: start + 5_000 })
    limiter.subscribe(() => {})
    await settled()
    expect((await stored()).cooldownUntil).toBe(start + 5_000)
  })
})

describe('two of one store', () => {
  it('wake each other', async () => {
    const [one, other] = [createLimiter(), createLimiter()]
    const first = enter(one, 'a')
    const second = enter(other, 'b')
    await settled()
    expect(isIn([first, second])).toEqual([true, false])
    await first.permit?.release({ rateLimitHeaders: left(1), refused: false })
    await settled()
    expect(second.permit?.sentAt).toBe(start)
  })
})

describe('the doors', () => {
  it('are closed until somebody comes, and when nobody is left', async () => {
    const limiter = createLimiter()
    expect([listening, updates]).toEqual([0, 0])
    const [first, second] = [enter(limiter, 'a'), enter(limiter, 'b')]
    await settled()
    expect(listening).toBe(1)
    second.abort()
    await settled()
    expect(listening).toBe(1)
    await first.permit?.release()
    expect(listening).toBe(0)
    const again = enter(limiter, 'c')
    await settled()
    expect(listening).toBe(1)
    await again.permit?.release()
    expect(listening).toBe(0)
  })

  it('stay open for those who have subscribed, and no longer', async () => {
    const limiter = createLimiter()
    const stops = [limiter.subscribe(() => {}), limiter.subscribe(() => {})]
    await settled()
    stops[0]?.()
    expect(listening).toBe(1)
    stops[1]?.()
    expect(listening).toBe(0)
  })

  it('may be closed by one who left before', async () => {
    const limiter = createLimiter()
    const stop = limiter.subscribe(() => {})
    await settled()
    stop()
    stop()
    expect(listening).toBe(0)
  })

  it('close after the round in which the last subscription ends', async () => {
    const limiter = createLimiter()
    limiter.subscribe(() => {})()
    await settled()
    expect([updates, listening]).toEqual([1, 0])
  })

  it('leave no timer behind', async () => {
    const limiter = await knowing(0)
    const stop = limiter.subscribe(() => {})
    await settled()
    stop()
    await clock.run()
    expect(clock.now()).toBe(start)
  })
})

describe('on a page', () => {
  let page: EventTarget
  let screen: EventTarget
  /** How many listen to each event. */
  let ears: Record<string, number>

  class Target extends EventTarget {
    override addEventListener(...args: Parameters<EventTarget['addEventListener']>) {
      ears[args[0]] = (ears[args[0]] ?? 0) + 1
      super.addEventListener(...args)
    }
    override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>) {
      ears[args[0]] = (ears[args[0]] ?? 0) - 1
      super.removeEventListener(...args)
    }
  }

  beforeEach(() => {
    page = new Target()
    screen = new Target()
    ears = {}
    vi.stubGlobal('document', page)
    vi.stubGlobal('window', screen)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  /** The machine slept: the time has passed, and no timer has rung. */
  async function sleepy() {
    let slept = 0
    const limiter = await knowing(0, {
      clock: { now: () => clock.now() + slept, wakeAfter: () => () => {} },
    })
    const visitor = enter(limiter, 'a')
    await settled()
    slept = 40_000
    await settled()
    expect(visitor.permit).toBeUndefined()
    return visitor
  }

  it.each(['visibilitychange', 'online', 'pageshow'])('on %s a look at the gate', async (type) => {
    const visitor = await sleepy()
    const target = type === 'visibilitychange' ? page : screen
    target.dispatchEvent(new Event(type))
    await settled()
    expect(visitor.permit?.sentAt).toBe(start + 40_000)
  })

  it('gives all up for lost when it may be about to go', async () => {
    const limiter = await knowing(9)
    const visitors = [enter(limiter, 'a'), enter(limiter, 'b')]
    await settled()
    expect(Object.keys((await stored()).inFlight)).toEqual(['a', 'b'])
    screen.dispatchEvent(new Event('pagehide'))
    await settled()
    expect(await stored()).toMatchObject({ inFlight: {}, windows: [{ remaining: 7 }] })
    expect(isIn(visitors)).toEqual([true, true])
  })

  it('a response that comes after all still counts', async () => {
    const limiter = await knowing(9)
    const visitor = enter(limiter, 'a')
    await settled()
    screen.dispatchEvent(new Event('pagehide'))
    await settled()
    await visitor.permit?.release({ rateLimitHeaders: left(3), refused: false })
    expect((await stored()).windows).toMatchObject([{ remaining: 3 }])
  })

  it('who was responded to is not given up', async () => {
    const limiter = await knowing(9)
    const visitors = [enter(limiter, 'a'), enter(limiter, 'b')]
    await settled()
    await visitors[0]?.permit?.release({ rateLimitHeaders: left(8), refused: false })
    screen.dispatchEvent(new Event('pagehide'))
    await settled()
    expect((await stored()).windows).toMatchObject([{ remaining: 7 }])
  })

  it('is listened to while somebody is here, once', async () => {
    const limiter = createLimiter()
    expect(ears).toEqual({})
    const stop = limiter.subscribe(() => {})
    const visitor = enter(limiter, 'a')
    await settled()
    await visitor.permit?.release()
    expect(ears).toEqual({ visibilitychange: 1, online: 1, pageshow: 1, pagehide: 1 })
    stop()
    expect(ears).toEqual({ visibilitychange: 0, online: 0, pageshow: 0, pagehide: 0 })
  })
})
