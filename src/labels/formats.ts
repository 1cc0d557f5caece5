/** One text for each plural category of the language; `#` stands for the number. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Formats numbers, times and plurals for one locale. */
export interface Formats {
  /** BCP 47 tag. */
  readonly locale: string
  /** Formats a number. */
  readonly number: (value: number) => string
  /** Selects the form for a number and inserts the number. */
  readonly plural: (count: number, forms: PluralForms) => string
  /**
   * A wait in words: "42 seconds", or short: "42 sec". Rounded up, so that a wait never ends early, and in a unit that
   * keeps the number small.
   */
  readonly duration: (milliseconds: number, length?: 'long' | 'short') => string
  /** A point in time (epoch ms) in the local time zone: the time of day, with the date if it is 12 hours away or more. */
  readonly time: (epoch: number) => string
  /** Compares two texts for sorting, in the order of the locale. */
  readonly compare: (one: string, other: string) => number
}

const cache = new Map<string, Formats>()

/** @throws RangeError if the locale is not a BCP 47 tag */
export function formatsFor(locale: string): Formats {
  const formats = cache.get(locale) ?? makeFormats(locale)
  cache.set(locale, formats)
  return formats
}

/** Above this, a number of seconds or minutes is shown in the next unit. */
const maxInUnit = 90
/** Within this distance (ms) a time of day is unambiguous. */
const near = 12 * 3_600_000

function makeFormats(locale: string): Formats {
  Intl.getCanonicalLocales(locale) // throws if it is not a tag
  // Created on first use: they cost more than everything else here, and must not delay the first request.
  const numbers = lazily(() => new Intl.NumberFormat(locale))
  const rules = lazily(() => new Intl.PluralRules(locale))
  const collator = lazily(() => new Intl.Collator(locale, { numeric: true }))
  const units = new Map<string, Intl.NumberFormat>()
  const times = new Map<boolean, Intl.DateTimeFormat>()

  const inUnit = (value: number, unit: string, unitDisplay: 'long' | 'short') => {
    const name = unit + unitDisplay
    const format = units.get(name) ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay })
    units.set(name, format)
    return format.format(value)
  }

  return {
    locale,
    number: (value) => numbers().format(value),
    plural: (count, forms) => (forms[rules().select(count)] ?? forms.other).replaceAll('#', numbers().format(count)),
    duration: (milliseconds, length = 'long') => {
      const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
      if (seconds <= maxInUnit) return inUnit(seconds, 'second', length)
      const minutes = Math.ceil(seconds / 60)
      if (minutes <= maxInUnit) return inUnit(minutes, 'minute', length)
      return inUnit(Math.ceil(minutes / 60), 'hour', length)
    },
    time: (epoch) => {
      const isNear = Math.abs(epoch - Date.now()) < near
      const style = isNear ? ({ timeStyle: 'short' } as const) : ({ dateStyle: 'medium', timeStyle: 'short' } as const)
      const format = times.get(isNear) ?? new Intl.DateTimeFormat(locale, style)
      times.set(isNear, format)
      return format.format(epoch)
    },
    compare: (one, other) => collator().compare(one, other),
  }
}

function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}
