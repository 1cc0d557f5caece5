import * as z from 'zod/mini'
import { isExactInt64, isRequiredText, isTimestamp, toCategoryId } from './fields.ts'

// The schemas of the table of operations, which loads this file when a reader gives up. `category.ts` makes `int64` public, as
// a constant of its own: if it exported that of this file, esbuild would load it at once.

export const int64Schema = z.pipe(
  z.custom<string | number>(isExactInt64, 'expected an integer (int64)'),
  z.transform(String),
)

export const categorySchema = z.pipe(
  z.object({
    id: z.pipe(int64Schema, z.transform(toCategoryId)),
    name: z.string('expected a string'),
    description: z.exactOptional(z.nullable(z.string('expected a string'))),
  }),
  // Many services write an absent field as `null`.
  z.transform(({ description, ...category }) =>
    description === null || description === undefined ? category : { ...category, description },
  ),
)

export const categoriesSchema = z.array(categorySchema, 'expected an array')

const requiredText = z.string('expected a string').check(z.refine(isRequiredText, 'expected some text'))

export const newCategorySchema = z.object({
  name: requiredText,
  description: z.optional(z.string('expected a string')),
})

export const messageSchema = z.object({
  id: z.string('expected a string'),
  message: z.string('expected a string'),
  status: z.string('expected a string'),
  createdAt: z.string('expected a string').check(z.refine(isTimestamp, 'expected an ISO 8601 timestamp')),
})

export const newMessageSchema = z.object({ message: requiredText })

export const petInputSchema = z.object({
  // Not `minLength`: `refine` is loaded for other fields already.
  petId: z.string('expected a string').check(z.refine((id) => id !== '', 'expected a pet identifier')),
})
