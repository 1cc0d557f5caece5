import * as z from 'zod/mini'
import { type Category, categorySchema } from './category.ts'
import { isExactInt64 } from './int64.ts'
import type { QuickSchema } from './QuickSchema.ts'
import { readCategoryList, toCategory } from './readCategoryList.ts'

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
