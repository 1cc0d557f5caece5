import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { categorySchema, newCategorySchema } from '../../src/contract/category.ts'
import { categoryListSchema } from './categoryListSchema.ts'
import { parseExactJson } from '../../src/contract/parseExactJson.ts'
import { issuesOf, validate } from './validate.ts'

describe('categorySchema', () => {
  test.each([
    [
      { id: 7, name: 'Dog' },
      { id: '7', name: 'Dog' },
    ],
    [
      { id: '9223372036854775807', name: '', description: '' },
      { id: '9223372036854775807', name: '', description: '' },
    ],
    [
      { id: 7, name: 'Dog', legs: 4, constructor: 1 },
      { id: '7', name: 'Dog' },
    ],
    [
      { id: 7, name: 'Dog', description: null },
      { id: '7', name: 'Dog' },
    ],
    [parseExactJson('{"__proto__": {"name": "Wolf"}, "id": 7, "name": "Dog"}'), { id: '7', name: 'Dog' }],
  ])('reads %j', (value, category) => {
    expect(validate(categorySchema, value)).toStrictEqual({ value: category })
  })

  test.each([
    [undefined, ['Invalid input']],
    [[], ['Invalid input']],
    [{ name: 'Dog' }, ['id: expected an integer (int64)']],
    [{ id: 7 }, ['name: expected a string']],
    [{ id: 7, name: null }, ['name: expected a string']],
    [{ id: 7, name: 'Dog', description: undefined }, ['description: expected a string']],
    [{ id: 1.5, name: 8 }, ['id: expected an integer (int64)', 'name: expected a string']],
    [
      parseExactJson('{"__proto__": {"id": 7, "name": "Dog"}}'),
      ['id: expected an integer (int64)', 'name: expected a string'],
    ],
  ])('refuses %j', (value, issues) => {
    expect(issuesOf(categorySchema, value)).toEqual(issues)
  })
})

describe('categoryListSchema', () => {
  test('names the invalid row and field', () => {
    const rows = [{ id: 1, name: 'Dog' }, { id: 2 }, null]
    expect(issuesOf(categoryListSchema, rows)).toEqual(['1: name: expected a string', '2: Invalid input'])
    expect(issuesOf(categoryListSchema, { rows })).toEqual(['expected an array'])
  })

  const goodId = fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String))
  const badId = fc.constantFrom<unknown>(
    -0,
    1.5,
    2 ** 53,
    -(2 ** 63),
    Number.NaN,
    7n,
    '-0',
    '007',
    '',
    '1e3',
    '9223372036854775808',
    '-9223372036854775809',
    null,
    undefined,
    true,
    {},
    [7],
  )
  const notText = fc.constantFrom<unknown>(null, undefined, 7, true, {}, ['Dog'], new String('Dog'))
  const often = (usual: fc.Arbitrary<unknown>, rare: fc.Arbitrary<unknown>) =>
    fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: rare, weight: 1 })
  const fields = fc.record(
    {
      id: often(goodId, badId),
      name: often(fc.string({ unit: 'grapheme' }), notText),
      description: often(fc.string(), notText),
      unknown: fc.jsonValue(),
    },
    { requiredKeys: ['id', 'name'] },
  )
  const odd = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, 7, 'Dog', [], () => {}, Object.create(null)),
    fields.map(({ name, description }) => ({ name, description })),
    fields.map(({ id, description }) => ({ id, description })),
    fields.map((row) => Object.values(row)),
    fields.map((row) => Object.assign([], row)),
    // With inherited fields, which JSON text cannot express.
    fields.map((row): unknown => Object.create(row)),
    fields.map((row): unknown => Object.assign(Object.create(null), row)),
    // With an own field named __proto__, which only JSON.parse creates.
    fields.map(({ id, name }): unknown =>
      JSON.parse(`{"__proto__":${JSON.stringify({ id: String(id), name })},"name":"Dog"}`),
    ),
    fields.map(({ name }): unknown =>
      JSON.parse(`{"__proto__":{"description":"Barks"},"id":7,"name":${JSON.stringify(name) ?? 1}}`),
    ),
  )
  const row = often(fields, odd)
  const slow = z.array(categorySchema, 'expected an array')

  test('the guard accepts the same lists as the schema and reports the same issues', () => {
    let read = 0
    let refused = 0
    fc.assert(
      fc.property(
        fc.oneof({ arbitrary: fc.array(row), weight: 20 }, { arbitrary: fc.anything(), weight: 1 }),
        (rows) => {
          const fast = validate(categoryListSchema, rows)
          if (fast.issues) refused += 1
          else read += 1
          expect(issuesOf(categoryListSchema, rows)).toEqual(issuesOf(slow, rows))
          expect('value' in fast && fast.value).toStrictEqual(
            'value' in validate(slow, rows) && z.safeParse(slow, rows).data,
          )
        },
      ),
      { numRuns: 2_000 },
    )
    // The property needs enough lists of both kinds.
    expect(Math.min(read, refused)).toBeGreaterThan(100)
  })

  test('reads any list from JSON text with exact ids', () => {
    const category = fc.record(
      { id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), name: fc.string(), description: fc.string() },
      { requiredKeys: ['id', 'name'] },
    )
    fc.assert(
      fc.property(fc.array(category), (categories) => {
        const texts = categories.map(({ id, ...rest }) =>
          JSON.stringify({ id: 'the id', ...rest }).replace('"the id"', String(id)),
        )
        const expected = categories.map(({ id, ...rest }) => ({ ...rest, id: String(id) }))
        expect(validate(categoryListSchema, parseExactJson(`[${texts.join(',')}]`))).toStrictEqual({ value: expected })
      }),
    )
  })
})

describe('newCategorySchema', () => {
  test.each([
    [{ name: 'Dog' }, { name: 'Dog' }],
    [
      { name: 'Dog', description: undefined },
      { name: 'Dog', description: undefined },
    ],
    // The client never sends an id.
    [
      { id: 7, name: ' Dog ', description: '', legs: 4 },
      { name: ' Dog ', description: '' },
    ],
  ])('takes %o', (value, category) => {
    expect(validate(newCategorySchema, value)).toStrictEqual({ value: category })
  })

  test.each([
    [undefined, ['Invalid input']],
    [{}, ['name: expected a string']],
    [{ name: null }, ['name: expected a string']],
    [{ name: '' }, ['name: expected some text']],
    [{ name: ' \t\n' }, ['name: expected some text']],
    [{ name: 'Dog', description: null }, ['description: expected a string']],
    [{ name: 7, description: 7 }, ['name: expected a string', 'description: expected a string']],
  ])('refuses %o', (value, issues) => {
    expect(issuesOf(newCategorySchema, value)).toEqual(issues)
  })
})
