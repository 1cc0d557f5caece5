import type { Category } from './category.ts'
import { toCategoryId } from './CategoryId.ts'
import { isInt64 } from './int64.ts'

const space = String.raw`[ \t\n\r]*`
/** The characters of a string, with its escapes as they stand. A loop over alternatives would need a stack. */
const characters = String.raw`[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*`
/** `_` stands for white space. */
const row = new RegExp(
  [
    String.raw`\{`,
    String.raw`"id"_:_(0|-?[1-9]\d{0,18})`,
    String.raw`,_"name"_:_"(${characters})"`,
    String.raw`(?:,_"description"_:_"(${characters})"_)?\}`,
    String.raw`([,\]])`,
  ]
    .map((part) => `_${part}`)
    .join('')
    .replaceAll('_', space),
  'y',
)
const begin = /^[ \t\n\r]*\[/
const end = /[ \t\n\r]*$/y

/**
 * Reads a list of categories from its JSON text in one pass: each row is `id`, `name` and perhaps `description`, in this
 * order. Reads ids from their digits, so they are exact. Gives up (`undefined`) at the first surprise.
 */
export function readCategoryList(text: string): readonly Category[] | undefined {
  const categories: Category[] = []
  row.lastIndex = begin.exec(text)?.[0].length ?? text.length
  try {
    for (;;) {
      const match = row.exec(text)
      // By index: to take them apart as an iterable takes twice as long.
      const digits = match?.[1]
      const name = match?.[2]
      if (digits === undefined || name === undefined || (digits.length > 18 && !isInt64(digits))) return undefined
      const id = toCategoryId(digits)
      const description = match?.[3]
      categories.push(
        description === undefined
          ? { id, name: unescape(name) }
          : { id, name: unescape(name), description: unescape(description) },
      )
      if (match?.[4] === ']') break
    }
  } catch {
    return undefined // an escape that JSON does not have, or a text that is too long for the regular expression
  }
  end.lastIndex = row.lastIndex
  return end.test(text) ? categories : undefined
}

function unescape(escaped: string): string {
  if (!escaped.includes('\\')) return escaped
  const text: unknown = JSON.parse(`"${escaped}"`)
  return String(text)
}
