import * as z from 'zod/mini'

/**
 * A text that the interface document calls required ("Resources and their fields"). It does not say whether an empty one
 * would do: a row without a name, or a message without words, is a mistake in the page, so it is not sent.
 */
export const requiredText: z.ZodMiniType<string, string> = z
  .string('expected a string')
  .check(z.refine((text) => text.trim() !== '', 'expected some text'))
