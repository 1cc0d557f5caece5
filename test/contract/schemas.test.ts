import type { StandardSchemaV1 } from '@standard-schema/spec'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import * as schemas from '../../src/contract/schemas.ts'
import { isExactInt64, isRequiredText, isTimestamp } from '../../src/contract/fields.ts'
import { validate } from './validate.ts'

const category = z.pipe(
  z.object({
    id: z.pipe(z.custom<string | number>(isExactInt64), z.transform(String)),
    name: z.string(),
    description: z.optional(z.nullable(z.string())),
  }),
  z.transform(({ description, ...rest }) => ({ ...rest, ...(typeof description === 'string' && { description }) })),
)
const requiredText = z.string().check(z.refine(isRequiredText))
const createdAt = z.string().check(z.refine(isTimestamp))

/** All schemas but `anything`, written with zod. */
const references: Readonly<Record<Exclude<SchemaName, 'anything'>, StandardSchemaV1>> = {
  categoriesSchema: z.array(category),
  categorySchema: category,
  newCategorySchema: z.object({ name: requiredText, description: z.optional(z.string()) }),
  messageSchema: z.object({ id: z.string(), message: z.string(), status: z.string(), createdAt }),
  newMessageSchema: z.object({ message: requiredText }),
  petInputSchema: z.object({ petId: z.string().check(z.minLength(1)) }),
}
type Schemas = typeof schemas
type SchemaName = { [Name in keyof Schemas]: Schemas[Name] extends StandardSchemaV1 ? Name : never }[keyof Schemas]
const pairs = Object.entries(references).map(
  ([name, reference]) => [name, Reflect.get(schemas, name), reference] as const,
)

const spaces = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\u00a0', '\u200b', '\ufeff', '\u2028') })
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  spaces,
  fc.constantFrom('7', '-0', '07', '9007199254740993', '9223372036854775808', '2026-01-01T00:00:00Z', '2026-13-01T'),
)
const field = fc.oneof(
  { weight: 2, arbitrary: text },
  fc.constantFrom<unknown>(
    undefined,
    null,
    7,
    -0,
    1.5,
    NaN,
    2 ** 53,
    7n,
    true,
    [],
    ['a'],
    {},
    new String('a'),
    () => 'a',
  ),
)
/** The names of the fields that schemas read, as a proxy records them, and `legs`, which none reads. */
const names = new Set(['legs'])
const watched = new Proxy({}, { get: (_, name) => void names.add(String(name)) })
for (const [, schema] of pairs) for (const given of [watched, [watched]]) validate(schema, given)

const record = fc.record(Object.fromEntries([...names].map((name) => [name, field])), { requiredKeys: [] })
const texts = fc.record(Object.fromEntries([...names].map((name) => [name, text])))
/** Mostly accepted: all fields hold text. Sometimes one or several of them hold another value. */
const likely = fc
  .tuple(
    fc.record({ texts, id: fc.integer() }),
    fc.oneof(fc.constant({}), record, fc.dictionary(fc.constantFrom(...names), field, { minKeys: 1, maxKeys: 1 })),
  )
  .map(([all, some]) => ({ ...all.texts, id: String(all.id), createdAt: '2026-01-01T00:00:00Z', ...some }))
/** Fields that are inherited, of a list, or of an object without a prototype; and an own `__proto__`, as in JSON. */
const odd = fc.oneof(
  record.map((fields): unknown => Object.create(fields)),
  record.map((fields): unknown => Object.assign(Object.create(null), fields)),
  record.map((fields) => Object.assign([], fields)),
  text.map((name): unknown => JSON.parse(`{"__proto__":{"id":"7","name":${JSON.stringify(name)}},"name":"Dog"}`)),
)
const rows = fc.array(fc.oneof({ weight: 6, arbitrary: likely }, record, odd), { maxLength: 3 })
const value = fc.oneof(likely, record, odd, rows, fc.anything())

/** The value that a schema returns, or `'refused'`. The reasons are left out: zod words them in another way. */
const outcome = (schema: StandardSchemaV1, given: unknown) => {
  const result = validate(schema, given)
  return result.issues ? 'refused' : { accepted: result.value }
}

test.each(pairs)('%s: accepts the same values as the schema of zod, and returns the same', (_, schema, reference) => {
  fc.assert(
    fc.property(value, (given) => {
      expect(outcome(schema, given)).toEqual(outcome(reference, given))
    }),
    { numRuns: 2_000 },
  )
})
