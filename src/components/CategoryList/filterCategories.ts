import type { Category } from '../../contract/category.ts'

interface FoldedTexts {
  readonly locale: string
  /** What is looked through, row by row. */
  readonly texts: readonly string[]
}

interface Matches {
  /** The first of them. */
  readonly rows: readonly Category[]
  /** How many there are in all. */
  readonly count: number
}

/** The rows that have the filter's text in their name or description, whatever the case and accents. */
export function filterCategories(all: readonly Category[], filter: string, locale: string, most: number): Matches {
  const wanted = fold(filter, locale)
  if (wanted === '') return { rows: all.length <= most ? all : all.slice(0, most), count: all.length }
  const { texts } = prepareFilter(all, locale)
  const rows: Category[] = []
  let count = 0
  for (let index = 0; index < texts.length; index += 1) {
    const category = texts[index]?.includes(wanted) ? all[index] : undefined
    if (!category) continue
    if (count < most) rows.push(category)
    count += 1
  }
  return { rows, count }
}

/** Made once for each array of rows, since every keystroke looks through all of them. */
const known = new WeakMap<readonly Category[], FoldedTexts>()

/** Does ahead of the first keystroke what would make it slow. */
export function prepareFilter(all: readonly Category[], locale: string): FoldedTexts {
  const prepared = known.get(all)
  if (prepared?.locale === locale) return prepared
  const texts = all.map(({ name, description }) => (description === undefined ? name : `${name}\n${description}`))
  // All at once: several times as fast as one by one. A text that holds the separator itself spoils that.
  const folded = fold(texts.join('\0'), locale).split('\0')
  const isWhole = folded.length === texts.length
  const fresh = { locale, texts: isWhole ? folded : texts.map((text) => fold(text, locale)) }
  known.set(all, fresh)
  return fresh
}

/** Gives the memory back: about as much as the rows' own texts take. */
export function forgetFilter(all: readonly Category[]): void {
  known.delete(all)
}

/** Of Latin, Greek, Cyrillic, Hebrew and Arabic. In other scripts a mark makes another word. */
const accents = /(?=[\u0300-\u06ff])\p{Mn}/gu
const beyondAscii = /[\u0080-\uffff]/

/** In small letters first: the locale decides what becomes of a dotted I. */
function fold(text: string, locale: string): string {
  const small = text.toLocaleLowerCase(locale)
  return beyondAscii.test(small) ? small.normalize('NFD').replace(accents, '').replaceAll('ς', 'σ') : small
}
