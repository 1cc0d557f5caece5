declare const categoryId: unique symbol

/**
 * The id of a category: an int64 as its exact decimal string, because a JavaScript number cannot hold ids beyond 2^53.
 * The type is branded, so TypeScript accepts no other string.
 */
export type CategoryId = string & { readonly [categoryId]: true }

/** The only place that brands an id. Callers have checked the text. */
export function toCategoryId(id: string): CategoryId {
  // A brand exists for the compiler alone, so only an assertion can add it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return id as CategoryId
}
