import { expect, test } from 'vitest'
import {
  categoryListSchema,
  categorySchema,
  messageSchema,
  newCategorySchema,
  newMessageSchema,
  operations,
} from '../../src/client.ts'
import { issuesOf, validate } from './validate.ts'

// By hand, from the interface document: "Endpoints", "Versioning".
const documented = {
  listCategories: {
    name: 'listCategories',
    method: 'GET',
    path: '/categories',
    base: 'service',
    output: categoryListSchema,
    success: [200],
    replay: 'safe',
  },
  createCategory: {
    name: 'createCategory',
    method: 'POST',
    path: '/categories',
    base: 'service',
    input: newCategorySchema,
    output: categorySchema,
    success: [201],
    replay: 'only-if-refused',
  },
  sendMessage: {
    name: 'sendMessage',
    method: 'POST',
    path: '/messages',
    base: 'quickstart',
    input: newMessageSchema,
    output: messageSchema,
    // "The status code of success is not stated."
    success: 'any-2xx',
    replay: 'only-if-refused',
  },
  getPet: {
    name: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    base: 'service',
    input: expect.anything(),
    output: expect.anything(),
    success: 'any-2xx',
    replay: 'safe',
    deprecated: true,
  },
  listOrders: {
    name: 'listOrders',
    method: 'GET',
    path: '/store/orders',
    base: 'service',
    output: expect.anything(),
    success: 'any-2xx',
    replay: 'safe',
  },
}

test('the table holds the operations of the interface document, and nothing that it does not show', () => {
  expect(operations).toStrictEqual(documented)
})

test.each([operations.getPet, operations.listOrders])(
  'the payload of $name, which is not shown, may be anything',
  ({ output }) => {
    for (const payload of [undefined, null, 7, 'text', [], { id: 7 }]) {
      expect(validate(output, payload)).toEqual({ value: payload })
    }
  },
)

test('a pet is asked for by its identifier', () => {
  const { input } = operations.getPet
  expect(input && validate(input, { petId: '7' })).toEqual({ value: { petId: '7' } })
  expect(input && issuesOf(input, { petId: '' })).toEqual(['petId: expected a pet identifier'])
  expect(input && issuesOf(input, { petId: 7 })).toEqual(['petId: expected a string'])
  expect(input && issuesOf(input, {})).toEqual(['petId: expected a string'])
})
