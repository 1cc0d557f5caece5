import { describe, expect, it } from 'vitest'
import { parseHttpDate } from '../../src/rate-limit/httpDate.ts'

const near = Date.UTC(2026, 10, 21)
const date = Date.UTC(1994, 10, 6, 8, 49, 37)

describe('reads the three forms of RFC 9110 §5.6.7:', () => {
  it.each([
    ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ['RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT'],
    ['asctime', 'Sun Nov  6 08:49:37 1994'],
  ])('%s', (_, text) => {
    expect(parseHttpDate(text, near)).toBe(date)
  })

  it('with every month', () => {
    const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
    expect(names.map((name) => parseHttpDate(`Sat, 28 ${name} 2026 00:00:00 GMT`, near))).toEqual(
      names.map((_, month) => Date.UTC(2026, month, 28)),
    )
  })

  it('with two-digit days of asctime, weekday names of any length, and years before 1000', () => {
    expect(parseHttpDate('Sat Nov 21 00:00:00 2026', near)).toBe(near)
    expect(parseHttpDate('Wednesday, 06-Nov-94 08:49:37 GMT', near)).toBe(date)
    expect(parseHttpDate('Friday, 06-Nov-94 08:49:37 GMT', near)).toBe(date)
    expect(parseHttpDate('Sun, 01 Jan 0050 00:00:00 GMT', near)).toBe(new Date(0).setUTCFullYear(50, 0, 1))
  })

  it('with a leap second, as the start of the next minute', () => {
    expect(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT', near)).toBe(Date.UTC(2017, 0, 1))
  })
})

describe('a two-digit year', () => {
  it('is at most 50 years ahead', () => {
    expect(parseHttpDate('Monday, 06-Nov-76 00:00:00 GMT', near)).toBe(Date.UTC(2076, 10, 6))
    expect(parseHttpDate('Monday, 06-Nov-77 00:00:00 GMT', near)).toBe(Date.UTC(1977, 10, 6))
    expect(parseHttpDate('Monday, 06-Nov-00 00:00:00 GMT', Date.UTC(1999, 0, 1))).toBe(Date.UTC(1900, 10, 6))
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
    'Sun, 06 Nov 1994 23:59:61 GMT',
    'Sun, 06 Nov 94 08:49:37 GMT',
    'Sunday, 06-Nov-1994 08:49:37 GMT',
    'Sun, 06-Nov-94 08:49:37 GMT',
    'Abcdefghij, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 94',
    'Sun Nov  6 08:49:37 1994 GMT',
    'x Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunny Sun Nov  6 08:49:37 1994',
    'x Sunday, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT x',
  ])('%j', (text) => {
    expect(parseHttpDate(text, near)).toBeUndefined()
  })

  it('but accepts hours up to 23, minutes up to 59 and seconds up to 60', () => {
    expect(parseHttpDate('Sun, 06 Nov 1994 23:59:59 GMT', near)).toBe(Date.UTC(1994, 10, 6, 23, 59, 59))
  })
})
