import type { StandardSchemaV1 } from '@standard-schema/spec'
import * as z from 'zod/mini'
import { int64, isInt64 } from './int64.ts'

declare const categoryId: unique symbol

/**
 * The id of a category: an int64 as its exact decimal string, because a JavaScript number cannot hold ids beyond 2^53.
 * The type is branded, so TypeScript accepts no other string.
 */
export type CategoryId = string & { readonly [categoryId]: true }

/** A category as the service returns it (interface document, "Resources and their fields"). */
export interface Category {
  /** Unique; assigned by the service on creation. */
  readonly id: CategoryId
  /** Plain text of any length. */
  readonly name: string
  /** Short description of the category. Absent if the service sends none. */
  readonly description?: string
}

/** The input of `createCategory`. It has no id: the service assigns it. */
export interface NewCategory {
  /** Any text. The document states no limits, but the service may refuse it (400). */
  readonly name: string
  /** Short description. `undefined` is the same as leaving it out. */
  readonly description?: string | undefined
}

/** Checks a category in a response and drops fields that the interface document does not show. */
export const categorySchema: z.ZodMiniType<Category> = z.object({
  id: z.pipe(int64, z.transform(toCategoryId)),
  name: z.string('expected a string'),
  description: z.exactOptional(z.string('expected a string')),
})

/** Checks the input of `createCategory`. */
export const newCategorySchema: z.ZodMiniType<NewCategory, NewCategory> = z.object({
  name: z.string('expected a string'),
  description: z.optional(z.string('expected a string')),
})

const categoriesSchema = z.array(categorySchema, 'expected an array')

/**
 * Checks the list of categories. A list can have 100,000 rows, so a hand-written guard reads them, about ten times as
 * fast as the schema. Only if the guard fails does the schema run, to report the issues or to accept the list after all.
 */
export const categoryListSchema: StandardSchemaV1<unknown, readonly Category[]> = {
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
  if (typeof name !== 'string') return undefined
  const exactId = readId(id)
  if (exactId === undefined) return undefined
  if (typeof description === 'string') return { id: exactId, name, description }
  return description === undefined && !('description' in row) ? { id: exactId, name } : undefined
}

function readId(id: unknown): CategoryId | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? toCategoryId(String(id)) : undefined
  return typeof id === 'string' && isInt64(id) ? toCategoryId(id) : undefined
}

/** The only place that brands an id. Callers have checked the text. */
function toCategoryId(id: string): CategoryId {
  // A brand exists for the compiler alone, so only an assertion can add it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return id as CategoryId
}
