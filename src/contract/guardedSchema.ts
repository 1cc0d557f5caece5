import type { StandardSchemaV1 } from '@standard-schema/spec'
import { withTimeout } from '../base/abort.ts'
import { systemClock } from '../base/Clock.ts'
import type { Category, NewCategory } from './category.ts'
import { hasFields, isExactInt64, isInt64, isRequiredText, isTimestamp, toCategoryId } from './fields.ts'
import type { Message, NewMessage } from './message.ts'
import type * as schemas from './schemas.ts'

type Schemas = typeof schemas

/** How long to wait for the schemas, in ms. A page may be offline, or its files replaced by those of a newer one. */
const loadTimeout = 10_000

/**
 * A schema whose values a reader knows, so that a page that meets no others loads no library for schemas. Where the
 * reader gives up (`undefined`), the schema is loaded and decides. If it cannot be loaded, the value is refused; the next
 * one tries again.
 */
export const guardedSchema = <Input, Output>(
  read: (value: unknown) => Output | undefined,
  pick: (all: Schemas) => StandardSchemaV1<Input, Output>,
): StandardSchemaV1<Input, Output> => ({
  '~standard': {
    version: 1,
    vendor: 'petstore-react',
    validate: (value) => {
      const output = read(value)
      return output === undefined ? validateLate(pick, value) : { value: output }
    },
  },
})

async function validateLate<Input, Output>(
  pick: (all: Schemas) => StandardSchemaV1<Input, Output>,
  value: unknown,
): Promise<StandardSchemaV1.Result<Output>> {
  const nothing = () => undefined
  const all = await withTimeout<Schemas | undefined>(
    import('./schemas.ts').catch(nothing),
    loadTimeout,
    systemClock,
    nothing,
  )
  if (!all) return { issues: [{ message: 'it was refused, and the schema that says why could not be loaded' }] }
  return pick(all)['~standard'].validate(value)
}

/** Accepts everything: the interface document does not show these payloads. */
export const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'petstore-react', validate: (value) => ({ value }) },
}

/** The rows of a parsed list, exact and without fields that the interface document does not show, or `undefined`. */
export function readCategories(value: unknown): readonly Category[] | undefined {
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

/** A category, or `undefined` for any other value. It agrees with `categorySchema`. */
export function readCategory(row: unknown): Category | undefined {
  if (!hasFields(row)) return undefined
  const { id, name, description } = row
  if (typeof name !== 'string' || !isExactInt64(id)) return undefined
  // Many services write an absent field as `null`.
  if (description === null || !('description' in row)) return toCategory(String(id), name, undefined)
  return typeof description === 'string' ? toCategory(String(id), name, description) : undefined
}

/** The input of `createCategory`, or `undefined` for any other value. It agrees with `newCategorySchema`. */
export function readNewCategory(value: unknown): NewCategory | undefined {
  if (!hasFields(value)) return undefined
  const { name, description } = value
  if (typeof name !== 'string' || !isRequiredText(name)) return undefined
  if (description === undefined) return 'description' in value ? { name, description } : { name }
  return typeof description === 'string' ? { name, description } : undefined
}

/** A message record, or `undefined` for any other value. It agrees with `messageSchema`. */
export function readMessage(value: unknown): Message | undefined {
  if (!hasFields(value)) return undefined
  const { id, message, status, createdAt } = value
  const areTexts = typeof id === 'string' && typeof message === 'string' && typeof status === 'string'
  return areTexts && typeof createdAt === 'string' && isTimestamp(createdAt)
    ? { id, message, status, createdAt }
    : undefined
}

/** The input of `sendMessage`, or `undefined` for any other value. It agrees with `newMessageSchema`. */
export function readNewMessage(value: unknown): NewMessage | undefined {
  if (!hasFields(value)) return undefined
  const { message } = value
  return typeof message === 'string' && isRequiredText(message) ? { message } : undefined
}

/** The identifier of a pet in the path. */
export interface PetInput {
  /** Not empty. The interface document says nothing else about it. */
  readonly petId: string
}

/** The input of `getPet`, or `undefined` for any other value. It agrees with `petInputSchema`. */
export function readPetInput(value: unknown): PetInput | undefined {
  if (!hasFields(value)) return undefined
  const { petId } = value
  return typeof petId === 'string' && petId !== '' ? { petId } : undefined
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
