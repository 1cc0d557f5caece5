/** One text for each plural category that the language has; `#` stands for the number. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** How a language writes numbers, times and plurals. */
export interface Formats {
  /** BCP 47 tag. */
  readonly locale: string
  /** A number as the language writes it. */
  readonly number: (value: number) => string
  /** The form for this number, with the number in it. */
  readonly plural: (count: number, forms: PluralForms) => string
  /**
   * A time to wait, in words: "42 seconds", or short: "42 sec". Rounded up, in the largest unit that tells enough: never
   * over before it is.
   */
  readonly duration: (milliseconds: number, length?: 'long' | 'short') => string
  /** A point in time (epoch ms), in the time zone of the machine: the time of day, with the day if it is not near. */
  readonly time: (epoch: number) => string
  /** Orders texts as the language's dictionaries do. */
  readonly compare: (one: string, other: string) => number
}

const known = new Map<string, Formats>()

/** @throws RangeError for a locale that is no BCP 47 tag */
export function formatsFor(locale: string): Formats {
  const formats = known.get(locale) ?? makeFormats(locale)
  known.set(locale, formats)
  return formats
}

/** From here on a number of seconds or minutes says less than the next unit. */
const mostOfUnit = 90
/** Nearer than this, a time of day has one meaning. In ms. */
const near = 12 * 3_600_000

function makeFormats(locale: string): Formats {
  Intl.getCanonicalLocales(locale) // throws for one that is none
  // Made when first used: they cost more than everything else here, and the first request can leave before.
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
      if (seconds <= mostOfUnit) return inUnit(seconds, 'second', length)
      const minutes = Math.ceil(seconds / 60)
      if (minutes <= mostOfUnit) return inUnit(minutes, 'minute', length)
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
