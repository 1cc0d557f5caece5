import { describe, expect, test } from 'vitest'
import { parseExactJson } from '../../src/contract/parseExactJson.ts'
import { categoriesSchema, categorySchema, newCategorySchema } from '../../src/contract/schemas.ts'
import { issuesOf, validate } from './validate.ts'

describe('categorySchema', () => {
  test.each([
    [undefined, ['expected an object']],
    [[], ['expected an object']],
    [{ name: 'Dog' }, ['id: expected an integer (int64)']],
    [{ id: 7 }, ['name: expected a string']],
    [{ id: 7, name: null }, ['name: expected a string']],
    [{ id: 1.5, name: 8 }, ['id: expected an integer (int64)', 'name: expected a string']],
    [
      parseExactJson('{"__proto__": {"id": 7, "name": "Dog"}}'), // a field of that name, not a prototype
      ['id: expected an integer (int64)', 'name: expected a string'],
    ],
  ])('refuses %j', (value, issues) => {
    expect(issuesOf(categorySchema, value)).toEqual(issues)
  })
})

test('the schema of a list names the invalid row and field', () => {
  const rows = [{ id: 1, name: 'Dog' }, { id: 2 }, null]
  expect(issuesOf(categoriesSchema, rows)).toEqual(['1: name: expected a string', '2: expected an object'])
  expect(issuesOf(categoriesSchema, { rows })).toEqual(['expected an array'])
})

describe('newCategorySchema', () => {
  test.each([
    [undefined, ['expected an object']],
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

test('a description that is undefined is left out of a new category', () => {
  const value = { name: 'Dog' }
  expect(validate(newCategorySchema, { ...value, description: undefined })).toStrictEqual({ value })
})
