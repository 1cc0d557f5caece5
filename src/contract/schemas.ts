import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Category, NewCategory } from './category.ts'
import { type CategoryId, hasFields, isExactInt64, isRequiredText, isTimestamp } from './fields.ts'
import type { Message, NewMessage } from './message.ts'

/** A synchronous schema of this package. The documented operations use it, so that no page loads zod for them. */
export interface PlainSchema<Input, Output = Input> extends StandardSchemaV1<Input, Output> {
  readonly '~standard': Omit<StandardSchemaV1.Props<Input, Output>, 'validate'> & {
    readonly validate: (value: unknown) => StandardSchemaV1.Result<Output>
  }
  /** Reads most JSON texts faster. Returns `undefined` for the rest: `parseExactJson` and `validate` then read them. */
  readonly readQuickly?: (text: string) => Output | undefined
}

export function isPlainSchema<Output>(
  schema: StandardSchemaV1<unknown, Output>,
): schema is PlainSchema<unknown, Output> {
  return schema['~standard'].vendor === 'petstore-react'
}

const plainSchema = <Input, Output = Input>(
  validate: PlainSchema<Input, Output>['~standard']['validate'],
): PlainSchema<Input, Output> => ({ '~standard': { version: 1, vendor: 'petstore-react', validate } })

/** Returns what is wrong with the value of a field; `undefined` if it is valid. */
type Check = (value: unknown) => string | undefined

/** A schema for an object with these fields, from which `make` creates the result. */
function objectSchema<Fields extends object, Input = Fields, Output = Fields>(
  checks: Readonly<Record<keyof Fields, Check>>,
  make: (fields: Fields) => Output,
): PlainSchema<Input, Output> {
  const entries = Object.entries<Check>(checks)
  return plainSchema((value) => {
    if (!hasFields(value)) return { issues: [{ message: 'expected an object' }] }
    const issues: StandardSchemaV1.Issue[] = []
    for (const [name, check] of entries) {
      const message = check(value[name])
      if (message !== undefined) issues.push({ message, path: [name] })
    }
    // Each field of `Fields` has a check, and all have passed. TypeScript cannot see that in an empty list of issues.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return issues.length > 0 ? { issues } : { value: make(value as Fields) }
  })
}

const text: Check = (value) => (typeof value === 'string' ? undefined : 'expected a string')
const optionalText: Check = (value) => (value === undefined ? undefined : text(value))
const textThat =
  (isValid: (value: string) => boolean, expected: string): Check =>
  (value) =>
    typeof value === 'string' && !isValid(value) ? expected : text(value)
const requiredText = textThat(isRequiredText, 'expected some text')

/** Accepts everything: the interface document does not show these payloads. */
export const anything: StandardSchemaV1 = plainSchema((value) => ({ value }))

interface CategoryFields {
  readonly id: string | number
  readonly name: string
  readonly description?: string | null
}

export const categorySchema: PlainSchema<unknown, Category> = objectSchema<CategoryFields, unknown, Category>(
  {
    id: (value) => (isExactInt64(value) ? undefined : 'expected an integer (int64)'),
    name: text,
    // Many services write an absent field as `null`.
    description: (value) => optionalText(value ?? undefined),
  },
  ({ id, name, description }) => toCategory(String(id), name, description ?? undefined),
)

/** Makes a category with an id that was checked. It has the field `description` only if the service sent one. */
export function toCategory(id: string, name: string, description: string | undefined): Category {
  // A brand exists for the compiler alone, so only an assertion can add it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const exactId = id as CategoryId
  return description === undefined ? { id: exactId, name } : { id: exactId, name, description }
}

export const categoriesSchema: PlainSchema<unknown, readonly Category[]> = plainSchema((value) => {
  if (!Array.isArray(value)) return { issues: [{ message: 'expected an array' }] }
  const categories: Category[] = []
  const issues: StandardSchemaV1.Issue[] = []
  for (const [index, row] of value.entries()) {
    const result = categorySchema['~standard'].validate(row)
    if (!result.issues) categories.push(result.value)
    else issues.push(...result.issues.map(({ message, path = [] }) => ({ message, path: [index, ...path] })))
  }
  return issues.length > 0 ? { issues } : { value: categories }
})

export const newCategorySchema: PlainSchema<NewCategory> = objectSchema<NewCategory>(
  { name: requiredText, description: optionalText },
  ({ name, description }) => (description === undefined ? { name } : { name, description }),
)

export const messageSchema: PlainSchema<unknown, Message> = objectSchema<Message, unknown>(
  { id: text, message: text, status: text, createdAt: textThat(isTimestamp, 'expected an ISO 8601 timestamp') },
  ({ id, message, status, createdAt }) => ({ id, message, status, createdAt }),
)

export const newMessageSchema: PlainSchema<NewMessage> = objectSchema<NewMessage>(
  { message: requiredText },
  ({ message }) => ({ message }),
)

/** The identifier of a pet in the path. */
export interface PetInput {
  /** Not empty. The interface document says nothing else about it. */
  readonly petId: string
}

export const petInputSchema: PlainSchema<PetInput> = objectSchema<PetInput>(
  { petId: textThat((id) => id !== '', 'expected a pet identifier') },
  ({ petId }) => ({ petId }),
)
