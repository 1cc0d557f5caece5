import { describe, expect, test } from 'vitest'
import { parseExactJson } from '../../src/contract/parseExactJson.ts'
import { categoriesSchema, categorySchema, newCategorySchema } from '../../src/contract/schemas.ts'
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

test('the schema of a list names the invalid row and field', () => {
  const rows = [{ id: 1, name: 'Dog' }, { id: 2 }, null]
  expect(issuesOf(categoriesSchema, rows)).toEqual(['1: name: expected a string', '2: Invalid input'])
  expect(issuesOf(categoriesSchema, { rows })).toEqual(['expected an array'])
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
