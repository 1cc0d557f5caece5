import { developmentWarning, isDevelopment } from '../base/development.ts'

/** One text for each plural category of the language; `#` stands for the number. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  /** The form for all numbers without a form of their own. */
  readonly other: string
}

/** Formats numbers, times and plurals for one locale. */
export type Formats = ReturnType<typeof makeFormats>

const cache = new Map<string, Formats>()

/** For the first valid BCP 47 tag, else English. Apps pass `navigator.language`, which may be "en-US@posix" or "". */
export function formatsFor(...locales: readonly (string | undefined)[]): Formats {
  const locale = locales.find(isLocale) ?? 'en'
  const formats = cache.get(locale) ?? makeFormats(locale)
  cache.set(locale, formats)
  return formats
}

function isLocale(locale: string | undefined): boolean {
  if (locale === undefined) return false
  if (cache.has(locale)) return true
  try {
    Intl.getCanonicalLocales(locale)
    return true
  } catch {
    if (isDevelopment) developmentWarning(`The locale "${locale}" ${invalidLocale}`)
    return false
  }
}

const invalidLocale =
  isDevelopment && 'is not a BCP 47 tag such as "pt-BR". Numbers and times follow the locale of the labels instead.'

/** A longer wait is shown in hours, as is one of exactly 60 minutes. */
const maxMinutes = 90
/** In ms. The gate may end a wait some seconds late. A time so little after a full minute is shown as that minute. */
const safetyMargin = 5_000
/** Whether the time of day alone is unambiguous: within twelve hours. */
const isNear = (epoch: number) => Math.abs(epoch - Date.now()) < 43_200_000

/** Locales in which only 1 has a plural form of its own, and numbers below 1,000 are written as in code. */
const plainLocale = /^(?:en|de)(?:-[A-Z]{2})?$/

function makeFormats(locale: string) {
  // Created on first use: they cost more than everything else here, and must not delay the first request.
  const numbers = lazily(() => new Intl.NumberFormat(locale))
  const rules = lazily(() => new Intl.PluralRules(locale))
  const collator = lazily(() => new Intl.Collator(locale, { numeric: true }))
  const units = new Map<string, Intl.NumberFormat>()
  const shortTime = lazily(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
  const shortDateAndTime = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
  const dateAndTime = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }))
  const weekdays = lazily(() => new Intl.DateTimeFormat(locale, { weekday: 'long' }))
  const relativeDays = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

  const inUnit = (value: number, unit: string, unitDisplay: 'long' | 'short') => {
    const name = unit + unitDisplay
    const format = units.get(name) ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay })
    units.set(name, format)
    return format.format(value)
  }

  const isPlain = plainLocale.test(locale)
  // Avoids `Intl` where the text is the same: creating its first format takes longer than rendering a list.
  const number = (value: number) =>
    isPlain && Number.isSafeInteger(value) && value >= 0 && (value < 1_000 || locale === 'en')
      ? String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
      : numbers().format(value)
  const formOf = (count: number) =>
    isPlain && Number.isInteger(count) && count >= 0 ? (count === 1 ? 'one' : 'other') : rules().select(count)

  const time = (epoch: number) => (isNear(epoch) ? shortTime() : shortDateAndTime()).format(epoch)

  /** The time of day with the word that the locale puts before it: " at 4:15 PM". `undefined` if the day comes after it. */
  const timeAfterDay = (epoch: number) => {
    const parts = dateAndTime().formatToParts(epoch)
    const start = parts.findIndex(({ type }) => type === 'hour' || type === 'dayPeriod') - 1
    const rest = parts.slice(Math.max(0, start))
    return start < 0 || rest.some(({ type }) => type === 'day') ? undefined : rest.map(({ value }) => value).join('')
  }

  const when = (exact: number) => {
    const epoch = minuteOf(exact)
    const days = daysFromToday(epoch)
    const timeOfDay = days >= 0 && days < 7 ? timeAfterDay(epoch) : undefined
    if (timeOfDay === undefined) return time(epoch)
    if (!isAnotherDay(exact)) return timeOfDay.trim()
    return (days === 1 ? relativeDays().format(1, 'day') : weekdays().format(epoch)) + timeOfDay
  }

  return {
    locale,
    number,
    /** Selects the form for a number and inserts the number. */
    plural: (count: number, forms: PluralForms): string =>
      (forms[formOf(count)] ?? forms.other).replaceAll('#', number(count)),
    /**
     * A wait in words: "42 seconds", or short: "42 sec". Seconds and hours are rounded up, so that no wait seems shorter than
     * it is; minutes to the nearest, so that a safety margin of some seconds does not show as a whole minute.
     */
    duration: (milliseconds: number, length: 'long' | 'short' = 'long'): string => {
      const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
      if (seconds < 60) return inUnit(seconds, 'second', length)
      const minutes = Math.round(seconds / 60)
      if (minutes <= maxMinutes && minutes !== 60) return inUnit(minutes, 'minute', length)
      return inUnit(Math.ceil(minutes / 60), 'hour', length)
    },
    /** A point in time (epoch ms) in the local time zone: the time of day, with the date if it is 12 hours away or more. */
    time,
    /**
     * A point in time to come (epoch ms) as part of a sentence: "at 4:15 PM", "tomorrow at 12:00 AM", "Monday at 12:00 AM",
     * and from seven days on a date. Rounded up to the minute, so that it is never too early.
     */
    when,
    /** The same for a sentence with "until": "4:15 PM", "tomorrow at 12:00 AM". */
    until: (epoch: number): string => (isAnotherDay(epoch) ? when(epoch) : shortTime().format(minuteOf(epoch))),
    compare: (one: string, other: string): number => collator().compare(one, other),
  }
}

/** Rounds a time (epoch ms) up to the minute, after taking off `safetyMargin`. */
const minuteOf = (epoch: number) => Math.ceil((epoch - safetyMargin) / 60_000) * 60_000

/** Whether a point in time to come (epoch ms) is on another day, and more than an hour away. */
export const isAnotherDay = (epoch: number): boolean =>
  epoch - Date.now() > 3_600_000 && daysFromToday(minuteOf(epoch)) > 0

/** How many midnights lie between now and a time to come (epoch ms). */
function daysFromToday(epoch: number): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)
  return Math.round((midnight(epoch) - midnight(Date.now())) / 86_400_000)
}

function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}
