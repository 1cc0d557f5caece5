import type { StandardSchemaV1 } from '@standard-schema/spec'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { operations } from '../../src/client.ts'
import * as readers from '../../src/contract/guardedSchema.ts'
import * as schemas from '../../src/contract/schemas.ts'
import { validate, validateLate } from './validate.ts'

const { listCategories, createCategory, sendMessage, getPet } = operations

/** What reads a value, the schema of the table of operations, and the zod schema, which all have to agree. */
type Reading = readonly [
  what: string,
  read: (value: unknown) => unknown,
  late: StandardSchemaV1 | undefined,
  schema: StandardSchemaV1<unknown>,
]
const readings: readonly Reading[] = [
  ['the list of categories', readers.readCategories, listCategories.output, schemas.categoriesSchema],
  ['a category', readers.readCategory, createCategory.output, schemas.categorySchema],
  ['a new category', readers.readNewCategory, createCategory.input, schemas.newCategorySchema],
  ['a message', readers.readMessage, sendMessage.output, schemas.messageSchema],
  ['a new message', readers.readNewMessage, sendMessage.input, schemas.newMessageSchema],
  ['a pet identifier', readers.readPetInput, getPet.input, schemas.petInputSchema],
]

const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\u00a0', '\u200b', '\ufeff', '\u2028') })
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  blank,
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
const record = fc.record(
  {
    id: field,
    name: field,
    description: field,
    message: field,
    status: field,
    createdAt: field,
    petId: field,
    legs: field,
  },
  { requiredKeys: [] },
)
/** Mostly what the schema accepts: with all fields as texts, and now and then another value in one of them. */
const likely = fc
  .tuple(
    fc.record({ id: fc.integer(), name: text, message: text, status: text, petId: text }),
    fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, record),
  )
  .map(([all, some]) => ({ ...all, id: String(all.id), createdAt: '2026-01-01T00:00:00Z', ...some }))
/** What JSON text cannot express, or only `JSON.parse` creates. */
const odd = fc.oneof(
  record.map((fields): unknown => Object.create(fields)),
  record.map((fields): unknown => Object.assign(Object.create(null), fields)),
  record.map((fields) => Object.assign([], fields)),
  text.map((name): unknown => JSON.parse(`{"__proto__":{"id":"7","name":${JSON.stringify(name)}},"name":"Dog"}`)),
)
const rows = fc.array(fc.oneof({ weight: 6, arbitrary: likely }, record, odd), { maxLength: 3 })
const value = fc.oneof(likely, record, odd, rows, fc.anything())

test.each(readings)('%s: the reader and the schema agree', async (_, read, late, schema) => {
  if (!late) throw new Error('The operation has no such schema.')
  await fc.assert(
    fc.asyncProperty(value, async (given) => {
      const expected = validate(schema, given)
      expect(read(given)).toStrictEqual(expected.issues ? undefined : expected.value)
      expect(await validateLate(late, given)).toStrictEqual(expected)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['a list', listCategories.output, [{ id: 7, name: 'Dog', legs: 4 }], [{ id: '7', name: 'Dog' }]],
  ['an empty list', listCategories.output, [], []],
  ['a category', createCategory.output, { id: 7, name: '', description: '' }, { id: '7', name: '', description: '' }],
  [
    'a new category',
    createCategory.input,
    { name: 'Dog', description: undefined, legs: 4 },
    { name: 'Dog', description: undefined },
  ],
  ['a new message', sendMessage.input, { message: 'Hello' }, { message: 'Hello' }],
  ['the identifier of a pet', getPet.input, { petId: '7' }, { petId: '7' }],
])('%s is read at once', (_, schema, given, output) => {
  // `validate` throws where a schema has to be loaded.
  expect(schema && validate(schema, given)).toStrictEqual({ value: output })
})
