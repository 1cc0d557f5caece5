import * as z from 'zod/mini'
import { type Category, categorySchema } from './category.ts'
import { isExactInt64, isInt64, toCategoryId } from './int64.ts'
import type { QuickSchema } from './defineOperation.ts'

const categoriesSchema = z.array(categorySchema, 'expected an array')

/**
 * Checks the list of categories. A list can have 100,000 rows, so `readQuickly` reads most texts in one pass. Of the
 * others, a hand-written guard reads the parsed rows, about ten times as fast as the schema. Only if the guard fails does
 * the schema run, to report the issues or to accept the list after all.
 */
export const categoryListSchema: QuickSchema<readonly Category[]> = {
  readQuickly: readCategoryList,
  '~standard': {
    version: 1,
    vendor: 'petstore-react',
    validate: (value) => {
      const categories = readCategories(value)
      return categories ? { value: categories } : categoriesSchema['~standard'].validate(value)
    },
  },
}

function readCategories(value: unknown): readonly Category[] | undefined {
  if (!Array.isArray(value)) return undefined
  const rows: readonly unknown[] = value
  const categories: Category[] = []
  for (const row of rows) {
    const category = readCategory(row)
    if (!category) return undefined
    categories.push(category)
  }
  return categories
}

function readCategory(row: unknown): Category | undefined {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined
  const { id, name, description } = row as { readonly [Field in keyof Category]?: unknown }
  if (typeof name !== 'string' || !isExactInt64(id)) return undefined
  const text = typeof description === 'string' ? description : undefined
  if (text === undefined && 'description' in row) return undefined
  return toCategory(String(id), name, text)
}

const plain = String.raw`[^"\\\x00-\x1f]*`
const begin = /^[ \t\n\r]*\[/

/** A row with the comma or the end that follows it. `_` stands for white space, `~` for the characters of a string. */
function rowPattern(space: string, characters: string): RegExp {
  const row = String.raw`_\{_"id"_:_(0|-?[1-9]\d{0,18})_,_"name"_:_"(~)"_(?:,_"description"_:_"(~)"_)?\}_(?:,|\]_$)`
  return new RegExp(row.replaceAll('_', space).replaceAll('~', characters), 'y')
}

/** With escapes as they stand. A loop over alternatives would need a stack. */
const anyRow = rowPattern(String.raw`[ \t\n\r]*`, String.raw`${plain}(?:\\.${plain})*`)
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
  return categories
}

/** Takes a compact row apart. To let the regular expression do it takes two to three times as long. */
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

/** Makes a category that has a description only if the service sent one. */
function toCategory(id: string, name: string, description: string | undefined): Category {
  const exactId = toCategoryId(id)
  return description === undefined ? { id: exactId, name } : { id: exactId, name, description }
}
