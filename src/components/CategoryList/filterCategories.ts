import type { Category } from '../../contract/category.ts'

interface SearchIndex {
  readonly locale: string
  /** The folded text of each row, in the order of the rows. */
  readonly foldedTexts: readonly string[]
}

interface Matches {
  /** The first matches, up to the limit. */
  readonly rows: readonly Category[]
  /** How many rows match in all. */
  readonly count: number
}

/** The rows whose name or description contains the query, ignoring case and accents. */
export function filterCategories(all: readonly Category[], query: string, locale: string, limit: number): Matches {
  const foldedQuery = fold(query, locale)
  if (foldedQuery === '') return { rows: all.length <= limit ? all : all.slice(0, limit), count: all.length }
  const { foldedTexts } = prepareFilter(all, locale)
  const rows: Category[] = []
  let count = 0
  for (let index = 0; index < foldedTexts.length; index += 1) {
    const category = foldedTexts[index]?.includes(foldedQuery) ? all[index] : undefined
    if (!category) continue
    if (count < limit) rows.push(category)
    count += 1
  }
  return { rows, count }
}

/** Built once for each array of rows, since every keystroke searches all of them. */
const indexes = new WeakMap<readonly Category[], SearchIndex>()

/** Builds the index before the first keystroke, which it would slow down. */
export function prepareFilter(all: readonly Category[], locale: string): SearchIndex {
  const existing = indexes.get(all)
  if (existing?.locale === locale) return existing
  const texts = all.map(({ name, description }) => (description === undefined ? name : `${name}\n${description}`))
  // Folding one joined text is several times as fast as folding each. It fails if a text contains the separator.
  const joined = fold(texts.join('\0'), locale).split('\0')
  const foldedTexts = joined.length === texts.length ? joined : texts.map((text) => fold(text, locale))
  const index = { locale, foldedTexts }
  indexes.set(all, index)
  return index
}

/** Releases the index, which takes about as much memory as the texts of the rows. */
export function forgetFilter(all: readonly Category[]): void {
  indexes.delete(all)
}

/** Accents of Latin, Greek, Cyrillic, Hebrew and Arabic. In other scripts a mark makes a different word. */
const accents = /(?=[\u0300-\u06ff])\p{Mn}/gu
const beyondAscii = /[\u0080-\uffff]/

/** Lower case comes first: the locale decides which letter a dotted I becomes. */
function fold(text: string, locale: string): string {
  const lowerCase = text.toLocaleLowerCase(locale)
  if (!beyondAscii.test(lowerCase)) return lowerCase
  return lowerCase.normalize('NFD').replace(accents, '').replaceAll('ς', 'σ')
}
