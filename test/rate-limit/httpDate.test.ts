import { describe, expect, it } from 'vitest'
import { parseHttpDate } from '../../src/rate-limit/rateLimitHeaders.ts'

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

  it('with two-digit days of asctime and weekday names of any length', () => {
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
    '2026-11-21T00:00:00Z',
    '2026-11-21',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 GMT ',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
    'sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 6 Nov 1994 08:49:37 GMT',
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

  it('but accepts hours up to 23, and minutes and seconds up to 59', () => {
    expect(parseHttpDate('Sun, 06 Nov 1994 23:59:59 GMT')).toBe(Date.UTC(1994, 10, 6, 23, 59, 59))
  })
})
