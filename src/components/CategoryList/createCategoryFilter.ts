import type { Category } from '../../contract/category.ts'

/** Finds the categories whose name or description contains a query. Case, accents and variants of a character do not matter. */
export function createCategoryFilter(all: readonly Category[], locale: string): (query: string) => readonly Category[] {
  const texts = all.map(
    ({ name, description }) =>
      // U+0001 keeps a query from matching the end of the name with the beginning of the description.
      `${clean(name)}\u0001${clean(description ?? '')}`,
  )
  // Folding one joined text is several times as fast as folding each.
  const foldedTexts = fold(texts.join('\0'), locale).split('\0')
  return (query) => {
    const foldedQuery = fold(query, locale)
    // Folding makes a query of accents alone empty.
    return foldedQuery === '' ? all : all.filter((_, position) => foldedTexts[position]?.includes(foldedQuery))
  }
}

/** Removes control characters, two of which separate the texts here. */
const clean = (text: string) => text.replace(/\p{Cc}/gu, ' ')

/** Marks up to U+06FF: accents of Latin, Greek, Cyrillic, Hebrew and Arabic. In other scripts a mark makes a different word. */
const accents = /(?=[\u0300-\u06ff])\p{Mn}/gu
const beyondAscii = /[\u0080-\uffff]/

/** A run of white space, or one character of it that is not a plain space. */
const whiteSpace = /\s{2,}|[^\S ]/gu
/** Variants of `'` and `"` from keyboards, word processors and input methods. Replaced before NFKD, which decomposes some. */
const apostrophes = /[\u00b4\u02b9\u02bb-\u02bd\u02c8\u2018-\u201b\u2032\u2035]/g
const quotes = /[\u201c-\u201f\u2033\u2036]/g

/**
 * NFKD makes plain letters of those of full and half width, ligatures and other forms, and separates accents. Lower case comes
 * before NFKD, which would take apart the Turkish İ, and again after it, since NFKD can make capitals (™ becomes TM).
 */
function fold(text: string, locale: string): string {
  let folded = text.toLocaleLowerCase(locale)
  if (beyondAscii.test(folded)) {
    const plain = folded.replace(apostrophes, "'").replace(quotes, '"').normalize('NFKD').replace(accents, '')
    folded = plain.toLocaleLowerCase(locale).replaceAll('ς', 'σ') // the sigma at the end of a word
    // NFKD does not separate the strokes of these letters.
    folded = folded.replaceAll('ł', 'l').replaceAll('ø', 'o').replaceAll('đ', 'd')
  }
  return folded.replaceAll('`', "'").replace(whiteSpace, ' ')
}
