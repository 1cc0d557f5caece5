import { dog, empty, list, listOf, oneDog, type OperationDescription } from './OperationDescription.ts'

/** "GET /categories" of the interface document. */
export const listCategories: OperationDescription = {
  operation: {
    name: 'listCategories',
    method: 'GET',
    path: '/categories',
    base: 'service',
    success: [200],
    replay: 'safe',
  },
  example: { request: list, response: listOf(dog) },
  exchanges: [
    {
      name: 'an empty list of categories',
      section: 'GET /categories',
      setup: empty,
      steps: [{ request: list, response: { ...listOf(), text: { matches: '^\\s*\\[\\s*\\]\\s*$' } } }],
    },
    {
      name: 'a list of categories, with and without a description',
      section: 'GET /categories; Category',
      setup: {
        ...empty,
        categories: [
          { id: '7', name: 'Dog', description: 'Barks' },
          { id: '8', name: 'Cat' },
        ],
      },
      steps: [
        {
          request: list,
          response: listOf(
            { fields: { id: { is: 7 }, name: { is: 'Dog' }, description: { is: 'Barks' } } },
            { fields: { id: { is: 8 }, name: { is: 'Cat' } } },
          ),
        },
      ],
    },
    {
      name: 'text of any language, quotes and digits in names',
      section: 'Category',
      setup: { ...empty, categories: [{ id: '1', name: '猫 🐈 "\\\n', description: '"id":9007199254740993' }] },
      steps: [
        {
          request: list,
          response: listOf({
            fields: { id: { is: 1 }, name: { is: '猫 🐈 "\\\n' }, description: { is: '"id":9007199254740993' } },
          }),
        },
      ],
    },
    ...['9007199254740993', '9223372036854775807', '-9223372036854775808', '0'].map((id) => ({
      name: `the id ${id} as an integer literal`,
      section: 'Category (id: integer, int64)',
      setup: { ...oneDog, categories: [{ id, name: 'Dog' }] },
      steps: [
        {
          request: list,
          response: {
            ...listOf({ fields: { id: { a: 'integer' }, name: { is: 'Dog' } } }),
            text: { matches: `"id"\\s*:\\s*${id}\\s*[,}]` },
          },
        },
      ],
    })),
  ],
}
