import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHttpDate, readRateLimitHeaders } from '../../src/rate-limit/rateLimitHeaders.ts'
import { runs, timeout } from './runs.ts'

const now = Date.UTC(2026, 10, 21)
const read = (headers: Record<string, string>) => readRateLimitHeaders(new Headers(headers), now)
const retryAfter = (text: string) => {
  const { retryIn, retryDate } = read({ 'Retry-After': text })
  return { retryIn, retryDate }
}

describe('X-RateLimit-Limit, -Remaining and -Reset', () => {
  it('are read, the reset from seconds into ms', () => {
    const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '12', 'X-RateLimit-Reset': '1795219200' }
    expect(read(headers)).toEqual({ limit: 60, remaining: 12, resetAt: 1_795_219_200_000 })
  })

  it('are missing where they are absent or invalid, each for itself', () => {
    expect(read({})).toEqual({})
    expect(read({ 'X-RateLimit-Limit': 'many', 'X-RateLimit-Remaining': '3' })).toEqual({ remaining: 3 })
  })

  it('accept a reset in milliseconds', () => {
    expect(read({ 'X-RateLimit-Reset': '1795219200123' }).resetAt).toBe(1_795_219_200_123)
    // Numbers beyond 1e11 are ms: as seconds they would be in the year 5138.
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
  ])('and Retry-After are missing if the text is %j', (text) => {
    const headers = { 'x-ratelimit-limit': text, 'x-ratelimit-remaining': text, 'x-ratelimit-reset': text }
    expect(readRateLimitHeaders({ get: (name) => headers[name as keyof typeof headers] ?? null }, now)).toEqual({})
    expect(readRateLimitHeaders({ get: (name) => (name === 'retry-after' ? text : null) }, now)).toEqual({})
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
  const date = ' Sat, 21 Nov 2026 00:00:00 GMT '
  expect(readRateLimitHeaders({ get: (name) => (name === 'date' ? date : null) }, now)).toEqual({ date: now })
  expect(read({ Date: 'yesterday' })).toEqual({})
})

it(
  'every field is finite and not negative, or missing, whatever the text',
  () => {
    const numberText = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789.,-+eExX :GMTSunNov'.split('')) }),
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.constantFrom('9'.repeat(400), `${'9'.repeat(400)}.5`, '-0', '0'.repeat(400), ','.repeat(400)),
    )
    const headerText = fc.oneof(fc.string(), numberText, fc.date().map(String))
    const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'date']
    const texts = fc.tuple(...names.map(() => fc.option(headerText)))
    fc.assert(
      fc.property(texts, fc.nat(), (values, later) => {
        const get = (name: string) => values[names.indexOf(name)] ?? null
        const { limit, remaining, resetAt, retryIn, retryDate, date } = readRateLimitHeaders({ get }, now + later)
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

describe('parseHttpDate', () => {
  const date = Date.UTC(1994, 10, 6, 8, 49, 37)

  describe('reads the three forms of RFC 9110 §5.6.7:', () => {
    it.each([
      ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT'],
      ['RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT'],
      ['asctime', 'Sun Nov  6 08:49:37 1994'],
    ])('%s', (_, text) => {
      expect(parseHttpDate(text)).toBe(date)
    })

    it('with every month', () => {
      const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
      expect(names.map((name) => parseHttpDate(`Sat, 28 ${name} 2026 00:00:00 GMT`))).toEqual(
        names.map((_, month) => Date.UTC(2026, month, 28)),
      )
    })

    it('with two digits for the day in asctime, and with any name of the day in RFC 850', () => {
      expect(parseHttpDate('Sat Nov 21 00:00:00 2026')).toBe(Date.UTC(2026, 10, 21))
      expect(parseHttpDate('Wednesday, 06-Nov-94 08:49:37 GMT')).toBe(date)
      expect(parseHttpDate('Friday, 06-Nov-94 08:49:37 GMT')).toBe(date)
    })

    it('with a two-digit year, from 1950 to 2049', () => {
      expect(parseHttpDate('Monday, 06-Nov-50 00:00:00 GMT')).toBe(Date.UTC(1950, 10, 6))
      expect(parseHttpDate('Monday, 06-Nov-49 00:00:00 GMT')).toBe(Date.UTC(2049, 10, 6))
    })
  })

  describe('returns nothing for another text:', () => {
    it.each([
      '',
      ' ',
      '2, 2',
      '120',
      '2026-11-21',
      'Sun, 06 Nov 1994 08:49:37',
      'sun, 06 Nov 1994 08:49:37 GMT',
      'Sun, 06 nov 1994 08:49:37 GMT',
      'Sun, 06 Abc 1994 08:49:37 GMT',
      'Sun, 31 Feb 1994 08:49:37 GMT',
      'Sun, 00 Nov 1994 08:49:37 GMT',
      'Sun, 06 Nov 1994 24:00:00 GMT',
      'Sun, 06 Nov 1994 23:60:00 GMT',
      'Sun, 06 Nov 1994 23:59:60 GMT',
      'Abcdefghij, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 94',
      'Sun Nov  6 08:49:37 1994 GMT',
      'x Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunny Sun Nov  6 08:49:37 1994',
      'x Sunday, 06-Nov-94 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT x',
    ])('%j', (text) => {
      expect(parseHttpDate(text)).toBeUndefined()
    })

    it('but reads hours up to 23, and minutes and seconds up to 59', () => {
      expect(parseHttpDate('Sun, 06 Nov 1994 23:59:59 GMT')).toBe(Date.UTC(1994, 10, 6, 23, 59, 59))
    })
  })
})

describe('what services also write is read:', () => {
  const noon = Date.UTC(2026, 10, 9, 12, 0, 0)
  const readAt = (headers: Record<string, string>) =>
    readRateLimitHeaders(new Headers({ Date: new Date(noon).toUTCString(), ...headers }), noon)

  it('-1 for no limit, and separators of thousands', () => {
    const unlimited = { 'X-RateLimit-Limit': '-1', 'X-RateLimit-Remaining': '-1' }
    expect(readAt(unlimited)).toMatchObject({ limit: undefined, remaining: undefined })
    const grouped = { 'X-RateLimit-Limit': '1,000', 'X-RateLimit-Remaining': '12,345,678' }
    expect(readAt(grouped)).toMatchObject({ limit: 1_000, remaining: 12_345_678 })
    expect(readAt({ 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '-3' }).remaining).toBe(0)
  })

  it.each([
    'Mon, 9 Nov 2026 12:01:40 GMT',
    'Mon, 09 Nov 2026 12:01:40 UTC',
    'Mon, 09 Nov 2026 12:01:40 +0000',
    'Mon, 09 Nov 2026 13:01:40 +0100',
    'Mon, 09 Nov 2026 07:01:40 -0500',
    '2026-11-09T12:01:40Z',
    '2026-11-09T12:01:40.000Z',
    '2026-11-09T14:01:40+02:00',
  ])('Retry-After as %s, which names one instant', (text) => {
    expect(readAt({ 'Retry-After': text }).retryDate).toBe(noon + 100_000)
    expect(readAt({ Date: text }).date).toBe(noon + 100_000)
  })

  it.each(['100s', '100 s', '100 sec', '100 seconds', '100'])('Retry-After as %s, in seconds', (text) => {
    expect(readAt({ 'Retry-After': text }).retryIn).toBe(100_000)
  })

  it.each(['2026-11-09T12:01:40', '2026-02-31T12:01:40Z', '100 minutes', '100m'])('not Retry-After as %s', (text) => {
    expect(readAt({ 'Retry-After': text })).toMatchObject({ retryIn: undefined, retryDate: undefined })
  })

  it.each([
    // A second more: `Date` is rounded down.
    ['seconds from now', '45', noon + 46_000],
    ['ISO 8601', '2026-11-09T12:00:45Z', noon + 45_000],
    ['seconds', String(noon / 1_000 + 45), noon + 45_000],
    ['milliseconds', String(noon + 45_000), noon + 45_000],
    ['microseconds, which are unknown', String((noon + 45_000) * 1_000), undefined],
    ['more than a day from now, which is unknown', '90000', undefined],
  ])('a reset in %s', (_, text, expected) => {
    expect(readAt({ 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': text }).resetAt).toBe(expected)
  })

  it('Age of a copy from a cache: the service’s time is Date plus Age, and the quota headers do not count', () => {
    const quota = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '45' }
    const old = { Date: new Date(noon - 540_000).toUTCString(), Age: '540' }
    expect(readAt({ ...quota, ...old })).toEqual({
      date: noon,
      dateError: 2_000,
      retryIn: undefined,
      retryDate: undefined,
    })
    expect(readAt({ ...quota, Age: '0' })).toMatchObject({ limit: 60, remaining: 0 })
  })
})
