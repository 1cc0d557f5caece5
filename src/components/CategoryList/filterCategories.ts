import type { Category } from '../../contract/category.ts'

interface SearchIndex {
  readonly locale: string
  /** The folded texts of the first rows, in the order of the rows; of all rows once it is complete. */
  readonly foldedTexts: string[]
}

/** The rows whose name or description contains the query, ignoring case and accents. */
export function filterCategories(all: readonly Category[], query: string, locale: string): readonly Category[] {
  const foldedQuery = fold(query, locale)
  // A query may consist of accents.
  if (foldedQuery === '') return all
  const index = indexOf(all, locale)
  while (foldBlock(all, index)); // what `prepareFilter` has not done yet
  return all.filter((_, position) => index.foldedTexts[position]?.includes(foldedQuery))
}

/** Built once for each array of rows, since every keystroke searches all of them. */
const indexes = new WeakMap<readonly Category[], SearchIndex>()

/** How many rows are folded at once, in one or two milliseconds. */
const blockSize = 5_000

/** Builds the index before the first keystroke, in short tasks between which a keystroke is served. */
export function prepareFilter(all: readonly Category[], locale: string): void {
  const index = indexOf(all, locale)
  const prepare = () => {
    if (foldBlock(all, index)) setTimeout(prepare)
  }
  prepare()
}

function indexOf(all: readonly Category[], locale: string): SearchIndex {
  const existing = indexes.get(all)
  if (existing?.locale === locale) return existing
  const index = { locale, foldedTexts: [] }
  indexes.set(all, index)
  return index
}

/** Adds the next rows to the index. Returns whether there were any. */
function foldBlock(all: readonly Category[], { locale, foldedTexts }: SearchIndex): boolean {
  const block = all.slice(foldedTexts.length, foldedTexts.length + blockSize)
  const texts = block.map(({ name, description }) => `${name}\n${description ?? ''}`.replaceAll('\0', ' '))
  // Folding one joined text is several times as fast as folding each.
  if (texts.length > 0) foldedTexts.push(...fold(texts.join('\0'), locale).split('\0'))
  return texts.length > 0
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
