import * as z from 'zod/mini'
import { type CategoryId, int64, toCategoryId } from './int64.ts'
import { requiredText } from './requiredText.ts'

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
  /** Any text but an empty one. The document states no limits, but the service may refuse it (400). */
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
  name: requiredText,
  description: z.optional(z.string('expected a string')),
})
