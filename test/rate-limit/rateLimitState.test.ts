import { describe, expect, it } from 'vitest'
import { emptyRecord, type GateRecord, type GateWindow } from '../../src/rate-limit/GateRecord.ts'
import { paceOf } from '../../src/rate-limit/plan.ts'
import {
  isSameState,
  nextStateChange,
  type RateLimitState,
  rateLimitState,
} from '../../src/rate-limit/rateLimitState.ts'

const now = 1_000_000_000_000
const quota = (fields: Partial<GateWindow> = {}): GateWindow => ({
  limit: 60,
  remaining: 30,
  reset: now + 30_000,
  resetAt: now + 30_000,
  ...fields,
})
const record = (fields: Partial<GateRecord>): GateRecord => ({ ...emptyRecord, updatedAt: now, ...fields })

describe('what people are told', () => {
  const told = (fields: Partial<GateRecord>) => rateLimitState(record(fields), now, paceOf('free'))
  const left = (remaining: number, fields: Partial<GateRecord> = {}) =>
    told({ windows: [quota({ remaining })], ...fields })
  const underWay = { a: { sentAt: now, until: now + 1 }, b: { sentAt: now, until: now + 1 } }
  const nothing = { limit: undefined, remaining: undefined, resetAt: undefined, retryAt: undefined }

  it('nothing before anything is known', () => {
    expect(told({})).toEqual({ status: 'unknown', ...nothing })
  })

  it('what is left, those under way taken off, and until when', () => {
    const known = { status: 'ok', limit: 60, resetAt: now + 30_000, retryAt: undefined }
    expect(left(30)).toEqual({ ...known, remaining: 30 })
    expect(left(30, { inFlight: underWay })).toEqual({ ...known, remaining: 28 })
  })

  it('a request that was lost is spent, not under way', () => {
    expect(left(30, { inFlight: { a: { sentAt: now - 9, until: now } } }).remaining).toBe(29)
  })

  it('low: a fifth or less', () => {
    expect(left(13).status).toBe('ok')
    expect(left(12).status).toBe('low')
    expect(left(13, { inFlight: underWay }).status).toBe('low')
  })

  it('exhausted: nothing, until the reset', () => {
    expect(left(0)).toMatchObject({ status: 'exhausted', remaining: 0, retryAt: now + 30_000 })
  })

  it('all of it under way is low: it may be there again at once', () => {
    expect(left(1, { inFlight: underWay })).toMatchObject({ status: 'low', remaining: 0, retryAt: undefined })
  })

  it('of several windows the one with the least left', () => {
    const windows = [quota(), quota({ limit: 1_000, remaining: 3 }), quota({ limit: 300, remaining: 9 })]
    expect(told({ windows })).toMatchObject({ limit: 1_000, remaining: 3, status: 'low' })
  })

  it('of a window without a limit, what is left; it is low only when nothing is', () => {
    expect(told({ windows: [quota({ limit: 0, remaining: 1 })] })).toMatchObject({ status: 'ok', limit: undefined })
    expect(told({ windows: [quota({ limit: 0, remaining: 0 })] }).status).toBe('exhausted')
  })

  it('of a window that has ended, the limit alone', () => {
    expect(told({ windows: [quota({ resetAt: now })] })).toEqual({ ...nothing, status: 'unknown', limit: 60 })
  })

  it('a cool-down before anything else, with what is known', () => {
    expect(told({ cooldownUntil: now + 1 })).toEqual({ ...nothing, status: 'cooling-down', retryAt: now + 1 })
    expect(left(0, { cooldownUntil: now + 1 })).toMatchObject({ status: 'cooling-down', remaining: 0, limit: 60 })
    expect(told({ cooldownUntil: now }).status).toBe('unknown')
  })
})

describe('two states are the same', () => {
  const state: RateLimitState = { status: 'ok', limit: 60, remaining: 5, resetAt: 7, retryAt: undefined }
  it('if they say the same', () => {
    expect(isSameState(state, { ...state })).toBe(true)
  })

  it.each<Partial<RateLimitState>>([
    { status: 'low' },
    { limit: 61 },
    { remaining: 6 },
    { resetAt: 8 },
    { retryAt: 9 },
  ])('not with another %j', (other) => {
    expect(isSameState(state, { ...state, ...other })).toBe(false)
  })
})

describe('by itself the state changes', () => {
  it('when the cool-down or a window ends, whichever comes first', () => {
    const windows = [quota({ resetAt: now + 20 }), quota({ resetAt: now + 10 }), quota({ resetAt: now })]
    expect(nextStateChange(record({ windows }), now)).toBe(now + 10)
    expect(nextStateChange(record({ windows, cooldownUntil: now + 5 }), now)).toBe(now + 5)
  })

  it('else never', () => {
    expect(nextStateChange(record({ cooldownUntil: now }), now)).toBe(Number.POSITIVE_INFINITY)
  })
})
