import type { Category } from './category.ts'
import { toCategoryId } from './CategoryId.ts'
import { isInt64 } from './int64.ts'

const space = String.raw`[ \t\n\r]*`
const plain = String.raw`[^"\\\x00-\x1f]*`
/** With its escapes as they stand. A loop over alternatives would need a stack. */
const escaped = String.raw`${plain}(?:\\.${plain})*`
const begin = /^[ \t\n\r]*\[/
const end = /[ \t\n\r]*$/y

/** A row and what follows it. `_` stands for white space, `~` for the characters of a string. */
function rowPattern(whiteSpace: string, characters: string): RegExp {
  const parts = [
    String.raw`\{`,
    String.raw`"id"_:_(0|-?[1-9]\d{0,18})`,
    ',_"name"_:_"(~)"',
    String.raw`(?:,_"description"_:_"(~)"_)?\}`,
    String.raw`[,\]]`,
  ]
  const pattern = parts.map((part) => `_${part}`).join('')
  return new RegExp(pattern.replaceAll('_', whiteSpace).replaceAll('~', characters), 'y')
}

const anyRow = rowPattern(space, escaped)
/** A row as most services write it. */
const compactRow = rowPattern('', plain)

/**
 * Reads a list of categories from its JSON text in one pass: each row is `id`, `name` and perhaps `description`, in this
 * order. Reads ids from their digits, so they are exact. Gives up (`undefined`) at the first surprise.
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
    return undefined // an escape that JSON does not have, or a text that is too long for the regular expression
  }
  end.lastIndex = at
  return end.test(text) ? categories : undefined
}

/** Takes a compact row apart. To let the regular expression do it takes two to three times as long. */
function splitRow(text: string, from: number, to: number): Category {
  const comma = text.indexOf(',', from)
  const nameAt = comma + ',"name":"'.length
  const quote = text.indexOf('"', nameAt)
  const descriptionAt = quote + '","description":"'.length
  const id = toCategoryId(text.slice(from + '{"id":'.length, comma))
  const name = text.slice(nameAt, quote)
  return descriptionAt < to ? { id, name, description: text.slice(descriptionAt, to - '"},'.length) } : { id, name }
}

function matchRow(text: string, at: number): Category | undefined {
  anyRow.lastIndex = at
  const [, digits, name, description] = anyRow.exec(text) ?? []
  if (digits === undefined || name === undefined) return undefined
  const id = toCategoryId(digits)
  return description === undefined
    ? { id, name: unescape(name) }
    : { id, name: unescape(name), description: unescape(description) }
}

function unescape(text: string): string {
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text
}
