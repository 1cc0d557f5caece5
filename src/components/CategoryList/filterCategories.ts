import type { Category } from '../../contract/category.ts'

interface SearchIndex {
  readonly locale: string
  /** The folded texts of the first rows, in the order of the rows; of all rows once it is complete. */
  readonly foldedTexts: string[]
}

/** The rows whose name or description contains the query, ignoring case, accents, width, quotes and white space. */
export function filterCategories(all: readonly Category[], query: string, locale: string): readonly Category[] {
  const foldedQuery = fold(query, locale)
  // Nothing is left of a query that consists of accents.
  if (foldedQuery === '') return all
  const index = indexOf(all, locale)
  while (foldBlock(all, index)); // what `buildFilterIndex` has not done yet
  return all.filter((_, position) => index.foldedTexts[position]?.includes(foldedQuery))
}

/** Built once for each array of rows, since every keystroke searches all of them. */
const indexes = new WeakMap<readonly Category[], SearchIndex>()

/** How many rows are folded at once, in one or two milliseconds. */
const blockSize = 5_000

/** Builds the index before the first keystroke, in short tasks between which a keystroke is served. */
export function buildFilterIndex(all: readonly Category[], locale: string): void {
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
  const texts = block.map(
    ({ name, description }) =>
      // U+0001 keeps a query from matching the end of one and the beginning of the other.
      `${clean(name)}\u0001${clean(description ?? '')}`,
  )
  // Folding one joined text is several times as fast as folding each.
  if (texts.length > 0) foldedTexts.push(...fold(texts.join('\0'), locale).split('\0'))
  return texts.length > 0
}

/** Releases the index, which takes about as much memory as the texts of the rows. */
export function releaseFilterIndex(all: readonly Category[]): void {
  indexes.delete(all)
}

/** Without the characters that separate texts in the index. */
const clean = (text: string) => text.replaceAll('\0', ' ').replaceAll('\u0001', ' ')

/** Accents of Latin, Greek, Cyrillic, Hebrew and Arabic. In other scripts a mark makes a different word. */
const accents = /(?=[\u0300-\u06ff])\p{Mn}/gu
const beyondAscii = /[\u0080-\uffff]/

/** A run of white space, or one character of it that is not a plain space. */
const whiteSpace = /\s{2,}|[^\S ]/gu
/** What keyboards, word processors and input methods put in the place of `'` and `"`. Before NFKD, which takes some apart. */
const apostrophes = /[\u0060\u00b4\u02b9\u02bb-\u02bd\u02c8\u2018-\u201b\u2032\u2035\uff07]/g
const quotes = /[\u201c-\u201f\u2033\u2036\uff02]/g

/**
 * Lower case comes first, since the locale decides about the dotted I, and again after NFKD, which can make capitals (™ → TM).
 * NFKD lets letters of full and half width, ligatures and other forms match the plain ones.
 */
function fold(text: string, locale: string): string {
  const lowerCase = text.toLocaleLowerCase(locale).replace(whiteSpace, ' ')
  if (!beyondAscii.test(lowerCase)) return lowerCase.replaceAll('`', "'")
  const plain = lowerCase.replace(apostrophes, "'").replace(quotes, '"').normalize('NFKD').replace(accents, '')
  return plain.toLocaleLowerCase(locale).replaceAll('ς', 'σ').replace(whiteSpace, ' ')
}
