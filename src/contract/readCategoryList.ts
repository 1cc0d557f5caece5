import type { Category } from './category.ts'
import { isInt64 } from './fields.ts'
import { toCategory } from './schemas.ts'

const plain = String.raw`[^"\\\x00-\x1f]*`
const begin = /^[ \t\n\r]*\[/

/** A row and the comma or the `]` after it. Below, `_` stands for white space, `~` for the characters of a string. */
function rowPattern(space: string, characters: string): RegExp {
  const row = String.raw`_\{_"id"_:_(0|-?[1-9]\d{0,18})_,_"name"_:_"(~)"_(?:,_"description"_:_"(~)"_)?\}_(?:,|\]_$)`
  return new RegExp(row.replaceAll('_', space).replaceAll('~', characters), 'y')
}

/** Any row, with its escapes. Written without `(…|…)*`, which would overflow the stack on a long text. */
const anyRow = rowPattern(String.raw`[ \t\n\r]*`, String.raw`${plain}(?:\\.${plain})*`)
/** A row as most services write it. */
const compactRow = rowPattern('', plain)

/**
 * Reads a list of categories from its JSON text in one pass, if each row is `id`, `name` and perhaps `description`, in
 * this order. Ids keep all their digits. Returns `undefined` for any other text, even that of a valid list.
 */
export function readCategoryList(text: string): readonly Category[] | undefined {
  const categories: Category[] = []
  let at = begin.exec(text)?.[0].length ?? text.length
  try {
    do {
      compactRow.lastIndex = at
      const isCompact = compactRow.test(text)
      const category = isCompact ? splitRow(text, at, compactRow.lastIndex) : matchRow(text, at)
      if (!category || (category.id.length > 18 && !isInt64(category.id))) return undefined
      categories.push(category)
      at = (isCompact ? compactRow : anyRow).lastIndex
    } while (text.charAt(at - 1) === ',')
  } catch {
    return undefined // a name has an escape that JSON does not know, or is too long for the regular expression
  }
  return categories
}

/** Splits a compact row by hand: the groups of a regular expression take two to three times as long. */
function splitRow(text: string, from: number, to: number): Category {
  const comma = text.indexOf(',', from)
  const nameAt = comma + ',"name":"'.length
  const quote = text.indexOf('"', nameAt)
  const descriptionAt = quote + '","description":"'.length
  const description = descriptionAt < to ? text.slice(descriptionAt, to - '"},'.length) : undefined
  return toCategory(text.slice(from + '{"id":'.length, comma), text.slice(nameAt, quote), description)
}

function matchRow(text: string, at: number): Category | undefined {
  anyRow.lastIndex = at
  const [, id, name, description] = anyRow.exec(text) ?? []
  return id && name !== undefined ? toCategory(id, unescape(name), description && unescape(description)) : undefined
}

function unescape(text: string): string {
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text
}
