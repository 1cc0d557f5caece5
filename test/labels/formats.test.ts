import { afterEach, describe, expect, test, vi } from 'vitest'
import { formatsFor, type PluralForms } from '../../src/labels/formats.ts'

const en = formatsFor('en')
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each(['en', 'en-GB', 'en-IN', 'de', 'de-AT', 'de-CH', 'ja', 'pl', 'ar', 'ar-EG', 'en-u-nu-arab', 'hi'])(
  'numbers and plurals in %s are those of Intl',
  (locale) => {
    const { number, plural } = formatsFor(locale)
    const numbers = new Intl.NumberFormat(locale)
    const rules = new Intl.PluralRules(locale)
    const forms: PluralForms = { zero: 'zero', one: 'one', two: 'two', few: 'few', many: 'many', other: 'other' }
    for (const value of [-1, 0, 0.5, 1, 1.5, 2, 21, 100, 9_999, 12_345, 1e9 + 1, 2 ** 53 - 1, 1e21]) {
      expect(number(value)).toBe(numbers.format(value))
      expect(plural(value, forms)).toBe(rules.select(value))
    }
  },
)

describe('plurals', () => {
  test('a missing form falls back to `other`', () => {
    expect(formatsFor('ar').plural(2, { other: 'طلبات' })).toBe('طلبات')
  })

  test('replaces every # with the number, formatted for the locale', () => {
    expect(en.plural(1_200, { other: '# of # requests' })).toBe('1,200 of 1,200 requests')
    expect(formatsFor('de').plural(1_200, { other: 'noch #' })).toBe('noch 1.200')
  })
})

describe('durations', () => {
  test.each([
    [-5, '0 seconds'],
    [0, '0 seconds'],
    [1, '1 second'],
    [1_000, '1 second'],
    [1_001, '2 seconds'],
    [59 * second, '59 seconds'],
    [59 * second + 1, '1 minute'],
    [65 * second, '1 minute'],
    [89 * second, '1 minute'],
    [89 * second + 1, '2 minutes'],
    [2 * minute + 1, '2 minutes'],
    [10 * minute + 5 * second, '10 minutes'],
    [10 * minute + 30 * second, '11 minutes'],
    [59 * minute, '59 minutes'],
    [60 * minute + 5 * second, '1 hour'],
    [90 * minute + 5 * second, '90 minutes'],
    [91 * minute, '2 hours'],
    [6 * hour + 5 * second, '6 hours'],
    [24 * hour, '24 hours'],
  ])('%d ms is %s', (milliseconds, written) => {
    expect(en.duration(milliseconds)).toBe(written)
  })

  test.each([
    ['de', ['1 Sekunde', '42 Sekunden', '2 Minuten', '6 Stunden']],
    ['ja', ['1 秒', '42 秒', '2 分', '6 時間']],
    ['ar-EG', ['ثانية', '٤٢ ثانية', 'دقيقتان', '٦ ساعات']],
  ])('in %s', (locale, written) => {
    const waits = [second, 42 * second, 2 * minute, 6 * hour]
    expect(waits.map((wait) => formatsFor(locale).duration(wait))).toEqual(written)
  })

  test('has a short form', () => {
    const waits = [42 * second, 2 * minute, 6 * hour]
    expect(waits.map((wait) => en.duration(wait, 'short'))).toEqual(['42 sec', '2 min', '6 hr'])
    expect(formatsFor('de').duration(42 * second, 'short')).toBe('42 Sek.')
  })

  test('a countdown never increases, is never more than half a minute short, and is exact in the last minute', () => {
    let before = Infinity // what was shown a step earlier; steps of 997 ms reach every part of a second
    for (let left = 3 * hour; left > 0; left -= 997) {
      const [, amount, unit] = /^(\d+) (second|minute|hour)/.exec(en.duration(left)) ?? []
      const shown = Number(amount) * { second, minute, hour }[String(unit) as 'second' | 'minute' | 'hour']
      expect(shown).toBeGreaterThanOrEqual(left - 30 * second)
      // oxlint-disable-next-line vitest/no-conditional-expect -- the last minute is exact
      if (left <= 59 * second) expect(shown).toBe(Math.ceil(left / second) * second)
      expect(shown).toBeLessThanOrEqual(before)
      before = shown
    }
  })
})

describe('`time`', () => {
  const noon = new Date(2030, 0, 15, 12).getTime()
  /** Normalizes spaces, which differ between versions of ICU. */
  const write = (locale: string, epoch: number) => formatsFor(locale).time(epoch).replaceAll(/\s/g, ' ')

  test('shows the time of day, and from twelve hours away also the date', () => {
    vi.useFakeTimers({ now: noon })
    expect(write('en', noon + 5 * minute)).toBe('12:05 PM')
    expect(write('en', noon - 5 * minute)).toBe('11:55 AM')
    expect(write('en', noon + 12 * hour - 1)).toBe('11:59 PM')
    expect(write('en', noon + 12 * hour)).toBe('Jan 16, 2030, 12:00 AM')
    expect(write('en', noon - 12 * hour)).toBe('Jan 15, 2030, 12:00 AM')
    // Once more, because the first call has cached the format.
    expect(write('en', noon + 5 * minute)).toBe('12:05 PM')
  })

  test.each([
    ['de', '15:30', '17.01.2030, 15:30'],
    ['ja', '15:30', '2030/01/17 15:30'],
    ['ar-EG', '٣:٣٠ م', '١٧‏/٠١‏/٢٠٣٠، ٣:٣٠ م'],
  ])('in %s', (locale, nearBy, far) => {
    vi.useFakeTimers({ now: noon })
    const time = noon + 3.5 * hour
    expect(write(locale, time)).toBe(nearBy)
    expect(write(locale, time + 48 * hour)).toBe(far)
  })
})

describe('`when` and `until`', () => {
  const noon = new Date(2030, 0, 15, 12).getTime()
  const midnight = noon + 12 * hour
  const write = (locale: string, epoch: number) => formatsFor(locale).when(epoch).replaceAll(/\s/g, ' ')

  test.each([
    [5 * minute, 'at 12:05 PM'],
    [5 * minute + 5_000, 'at 12:05 PM'], // `safetyMargin`: up to it, the full minute before is shown
    [5 * minute + 5_001, 'at 12:06 PM'],
    [11 * hour, 'at 11:00 PM'],
    [12 * hour, 'tomorrow at 12:00 AM'],
    [35 * hour, 'tomorrow at 11:00 PM'],
    [36 * hour, 'Thursday at 12:00 AM'],
    [6 * 24 * hour, 'Monday at 12:00 PM'],
    [7 * 24 * hour, 'Jan 22, 2030, 12:00 PM'],
    [-24 * hour, 'Jan 14, 2030, 12:00 PM'], // past times as by `time`
  ])('%d ms after a Tuesday noon is %s', (distance, written) => {
    vi.useFakeTimers({ now: noon })
    expect(write('en', noon + distance)).toBe(written)
  })

  test.each([
    ['de', 'um 15:30', 'morgen um 00:00', 'Donnerstag um 00:00'],
    ['ja', '15:30', '明日 0:00', '木曜日 0:00'],
    ['ar-EG', 'في ٣:٣٠ م', 'غدًا في ١٢:٠٠ ص', 'الخميس في ١٢:٠٠ ص'],
    // Vietnamese puts the time before the day, so another day is written as a whole date.
    ['vi', '15:30', '00:00 16 thg 1, 2030', '00:00 17 thg 1, 2030'],
  ])('in %s', (locale, today, tomorrow, weekday) => {
    vi.useFakeTimers({ now: noon })
    const moments = [noon + 3.5 * hour, midnight, midnight + 24 * hour]
    expect(moments.map((moment) => write(locale, moment))).toEqual([today, tomorrow, weekday])
  })

  test('late in the evening, a time after midnight has no day if it is within the hour, and otherwise has one', () => {
    const evening = noon + 11.5 * hour
    vi.useFakeTimers({ now: evening })
    expect(write('en', evening + 0.75 * hour)).toBe('at 12:15 AM')
    expect(write('en', evening + 6.5 * hour)).toBe('tomorrow at 6:00 AM')
    expect(
      formatsFor('en')
        .until(evening + 6.5 * hour)
        .replaceAll(/\s/g, ' '),
    ).toBe('tomorrow at 6:00 AM')
    expect(
      formatsFor('en')
        .until(evening + 0.75 * hour)
        .replaceAll(/\s/g, ' '),
    ).toBe('12:15 AM')
  })
})

test.each(['en-US@posix', 'pt_BR', '', 'not a locale'])(
  '%o is no locale: the fallback is used, with one warning for all calls',
  (locale) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    expect(formatsFor(locale, 'de').locale).toBe('de')
    expect(formatsFor(locale).locale).toBe('en')
    expect(warn).toHaveBeenCalledOnce()
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(`The locale "${locale}" is not a BCP 47 tag`))
    warn.mockRestore()
  },
)
