import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import { runs, timeout } from './runs.ts'

const now = Date.UTC(2026, 10, 21)
const read = (headers: Record<string, string>) => readRateLimitHeaders(new Headers(headers))
const retryAfter = (text: string) => {
  const { retryIn, retryDate } = read({ 'Retry-After': text })
  return { retryIn, retryDate }
}

describe('X-RateLimit-Limit, -Remaining and -Reset', () => {
  it('are read, the reset in ms', () => {
    const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '12', 'X-RateLimit-Reset': '1795219200' }
    expect(read(headers)).toEqual({ limit: 60, remaining: 12, resetAt: 1_795_219_200_000 })
  })

  it('are missing one by one if they are absent or invalid', () => {
    expect(read({})).toEqual({})
    expect(read({ 'X-RateLimit-Limit': 'many', 'X-RateLimit-Remaining': '3' })).toEqual({ remaining: 3 })
  })

  it('accept a reset in milliseconds', () => {
    expect(read({ 'X-RateLimit-Reset': '1795219200123' }).resetAt).toBe(1_795_219_200_123)
    expect(read({ 'X-RateLimit-Reset': '100000000000' }).resetAt).toBe(100_000_000_000_000)
    expect(read({ 'X-RateLimit-Reset': '100000000001' }).resetAt).toBe(100_000_000_001)
  })

  it('round fractions down, read a negative remaining as 0, and a limit of 0 as missing', () => {
    expect(read({ 'X-RateLimit-Remaining': '3.9' }).remaining).toBe(3)
    expect(read({ 'X-RateLimit-Remaining': '3.95' }).remaining).toBe(3)
    expect(read({ 'X-RateLimit-Remaining': '-5' }).remaining).toBe(0)
    expect(read({ 'X-RateLimit-Remaining': '-0.5' }).remaining).toBe(0)
    expect(read({ 'X-RateLimit-Limit': '60.5' }).limit).toBe(60)
    expect(read({ 'X-RateLimit-Limit': '0' }).limit).toBeUndefined()
    expect(read({ 'X-RateLimit-Limit': '0.9' }).limit).toBeUndefined()
    expect(read({ 'X-RateLimit-Limit': '-60' }).limit).toBeUndefined()
    expect(read({ 'X-RateLimit-Reset': '-1' }).resetAt).toBeUndefined()
  })

  it('take the strictest of several values', () => {
    expect(read({ 'X-RateLimit-Limit': '100, 60' }).limit).toBe(60)
    expect(read({ 'X-RateLimit-Remaining': '9, 4, nonsense' }).remaining).toBe(4)
    expect(read({ 'X-RateLimit-Reset': '1795219200 ,1795219260' }).resetAt).toBe(1_795_219_260_000)
  })

  it.each([
    '',
    ' ',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e3',
    '0x10',
    '1_000',
    '١٢',
    '12abc',
    'abc12',
    '1 2',
    '+5',
    '.5',
    '--5',
  ])('are missing if the text is %j', (text) => {
    const headers = { 'x-ratelimit-limit': text, 'x-ratelimit-remaining': text, 'x-ratelimit-reset': text }
    expect(readRateLimitHeaders({ get: (name) => headers[name as keyof typeof headers] ?? null })).toEqual({})
    expect(readRateLimitHeaders({ get: (name) => (name === 'retry-after' ? text : null) })).toEqual({})
  })
})

describe('Retry-After', () => {
  it('may be seconds, also fractional, rounded up to ms', () => {
    expect(retryAfter('30')).toEqual({ retryIn: 30_000, retryDate: undefined })
    expect(retryAfter('1.5').retryIn).toBe(1_500)
    expect(retryAfter('0.0001').retryIn).toBe(1)
    expect(retryAfter('7.').retryIn).toBe(7_000)
    expect(retryAfter('0').retryIn).toBe(0)
  })

  it('may be a list, whose longest value counts', () => {
    expect(retryAfter('2, 30, 5').retryIn).toBe(30_000)
    expect(retryAfter('2, 2').retryIn).toBe(2_000)
    expect(retryAfter('soon, 5,').retryIn).toBe(5_000)
  })

  it('may be dates, also several, also among seconds', () => {
    const date = 'Sat, 21 Nov 2026 00:01:00 GMT'
    const later = 'Sat, 21 Nov 2026 00:02:00 GMT'
    expect(retryAfter(date)).toEqual({ retryIn: undefined, retryDate: now + 60_000 })
    expect(retryAfter(`${date}, ${later}`).retryDate).toBe(now + 120_000)
    expect(retryAfter(`${later},${date}`).retryDate).toBe(now + 120_000)
    expect(retryAfter(`30, ${date}`)).toEqual({ retryIn: 30_000, retryDate: now + 60_000 })
    expect(retryAfter(`Sat Nov 21 00:03:00 2026, ${date}`).retryDate).toBe(now + 180_000)
    expect(retryAfter('Saturday, 21-Nov-26 00:04:00 GMT').retryDate).toBe(now + 240_000)
  })

  it('is limited to a safe integer', () => {
    expect(retryAfter('9'.repeat(400)).retryIn).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
  })

  it('is missing if it is negative', () => {
    expect(retryAfter('-5')).toEqual({ retryIn: undefined, retryDate: undefined })
  })
})

it('Date may have spaces around it', () => {
  expect(readRateLimitHeaders({ get: (name) => (name === 'date' ? ' Sat, 21 Nov 2026 00:00:00 GMT ' : null) })).toEqual(
    {
      date: now,
    },
  )
  expect(read({ Date: 'yesterday' })).toEqual({})
})

it(
  'every field is finite and not negative, or missing, whatever the text',
  () => {
    const headerText = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789.,-+eExX :GMTSunNov'.split('')) }),
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.date().map(String),
      fc.constantFrom('9'.repeat(400), `${'9'.repeat(400)}.5`, '-0', '0'.repeat(400), ','.repeat(400)),
    )
    const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'date']
    fc.assert(
      fc.property(fc.tuple(headerText, headerText, headerText, headerText, headerText), (texts) => {
        const { limit, remaining, resetAt, retryIn, retryDate, date } = readRateLimitHeaders({
          get: (name) => texts[names.indexOf(name)] ?? null,
        })
        for (const value of [limit, remaining, resetAt, retryIn]) {
          expect(value === undefined || (Number.isFinite(value) && value >= 0 && !Object.is(value, -0))).toBe(true)
        }
        for (const value of [retryDate, date]) expect(value === undefined || Number.isFinite(value)).toBe(true)
        for (const value of [limit, remaining]) expect(value === undefined || Number.isInteger(value)).toBe(true)
        expect(limit).not.toBe(0)
      }),
      runs,
    )
  },
  timeout,
)

it('reads a list of any length to its end', () => {
  const longList = '9,'.repeat(200_000)
  expect(read({ 'X-RateLimit-Remaining': `${longList}7`, 'Retry-After': longList })).toMatchObject({ remaining: 7 })
})
