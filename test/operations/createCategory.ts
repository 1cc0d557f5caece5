import {
  authorizedJson,
  empty,
  errorResponse,
  type ExpectedResponse,
  jsonHeaders,
  list,
  listOf,
  type OperationDescription,
  type SentRequest,
} from './OperationDescription.ts'

const request: SentRequest = {
  operation: 'createCategory',
  address: 'service',
  method: 'POST',
  path: '/categories',
  headers: authorizedJson,
  body: '{"name":"Rabbit"}',
}
const rabbit = { fields: { id: { a: 'integer' }, name: { is: 'Rabbit' } } } as const
const response: ExpectedResponse = { status: 201, headers: jsonHeaders, json: rabbit }

/** "POST /categories" of the interface document. */
export const createCategory: OperationDescription = {
  operation: {
    name: 'createCategory',
    method: 'POST',
    path: '/categories',
    base: 'service',
    success: [201],
    replay: 'only-if-refused',
  },
  example: { request, response },
  exchanges: [
    {
      name: 'a created category, which is then in the list',
      section: 'POST /categories',
      setup: empty,
      steps: [
        { request, response },
        { request: list, response: listOf(rabbit) },
      ],
    },
    {
      name: 'a category created with a description',
      section: 'NewCategory',
      setup: empty,
      steps: [
        {
          request: { ...request, body: '{"name":"Rabbit","description":"Soft"}' },
          response: { ...response, json: { fields: { ...rabbit.fields, description: { is: 'Soft' } } } },
        },
      ],
    },
    {
      name: 'the service assigns the id, whatever the client sends',
      section: 'NewCategory (the client never sends id)',
      setup: empty,
      steps: [
        {
          request: { ...request, body: '{"id":424242,"name":"Rabbit"}' },
          response: { ...response, text: { matches: '"id"\\s*:\\s*(?!424242\\b)\\d+' } },
        },
      ],
    },
    ...(
      [
        ['no name', '{}'],
        ['no name but a description', '{"description":"Soft"}'],
        ['a name that is a number', '{"name":7}'],
        ['a name that is null', '{"name":null}'],
        ['a description that is a number', '{"name":"Rabbit","description":7}'],
        ['a description that is null', '{"name":"Rabbit","description":null}'],
        ['a list', '[{"name":"Rabbit"}]'],
        ['a string', '"Rabbit"'],
        ['null', 'null'],
        ['no JSON', '{"name":"Rabbit"'],
        ['nothing', ''],
      ] as const
    ).map(([what, body]) => ({
      name: `a body with ${what} is refused, and no category is created`,
      section: 'POST /categories (400); Error',
      setup: empty,
      steps: [
        { request: { ...request, body }, response: errorResponse(400) },
        { request: list, response: listOf() },
      ],
    })),
  ],
}
