import * as z from 'zod/mini'
import { type CategoryId, isExactInt64 } from './fields.ts'

/** A category as the service returns it (interface document, "Resources and their fields"). */
export interface Category {
  /** Unique; assigned by the service on creation. */
  readonly id: CategoryId
  /** Plain text of any length. */
  readonly name: string
  /** Short description of the category. Absent if the service sends none, or `null`. */
  readonly description?: string
}

/** The input of `createCategory`. It has no id: the service assigns it. */
export interface NewCategory {
  /** Any text but a blank one. The document states no limits, but the service may refuse it (400). */
  readonly name: string
  /** Short description. `undefined` is the same as leaving it out. */
  readonly description?: string | undefined
}

/**
 * A schema for an int64 in a response, which returns the exact decimal string. It accepts a safe integer or a string of
 * decimal digits: the client makes a string of an integer that a JavaScript number cannot hold. Use it in your own
 * schemas for operations whose payloads the interface document does not show.
 */
export const int64: z.ZodMiniType<string, string | number> = /* @__PURE__ */ z.pipe(
  /* @__PURE__ */ z.custom<string | number>(isExactInt64, 'expected an integer (int64)'),
  /* @__PURE__ */ z.transform(String),
)
