import {
  authorized,
  authorizedJson,
  empty,
  errorResponse,
  type ExpectedResponse,
  jsonHeaders,
  type OperationDescription,
  rateLimitHeaders,
  type SentRequest,
} from './OperationDescription.ts'

const request: SentRequest = {
  operation: 'sendMessage',
  address: 'quickstart',
  method: 'POST',
  path: '/messages',
  headers: authorizedJson,
  body: '{"message":"Hello"}',
}
const response: ExpectedResponse = {
  status: '2xx',
  headers: jsonHeaders,
  json: {
    fields: {
      id: { a: 'string' },
      message: { is: 'Hello' },
      status: { is: 'queued' },
      createdAt: { matches: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' },
    },
  },
}

/** "POST /messages" of the interface document. */
export const sendMessage: OperationDescription = {
  operation: {
    name: 'sendMessage',
    method: 'POST',
    path: '/messages',
    base: 'quickstart',
    // "The status code of success is not stated."
    success: 'any-2xx',
    replay: 'only-if-refused',
  },
  example: { request, response },
  exchanges: [
    {
      name: 'a message that is queued',
      section: 'POST /messages; Message',
      setup: empty,
      steps: [{ request, response }],
    },
    {
      name: 'a message whose Content-Type has a parameter',
      section: 'POST /messages',
      setup: empty,
      steps: [
        {
          request: { ...request, headers: { ...authorized, 'Content-Type': 'application/json; charset=utf-8' } },
          response,
        },
      ],
    },
    {
      name: 'no messages under the base address of the service',
      section: 'POST /messages (not under {base_url})',
      setup: empty,
      steps: [{ request: { ...request, address: 'service' }, response: { status: '4xx', headers: rateLimitHeaders } }],
    },
    ...(
      [
        ['no JSON', 'Hello'],
        ['nothing', ''],
        ['no message field', '{"text":"Hello"}'],
        ['a message that is a number', '{"message":7}'],
        ['a message that is null', '{"message":null}'],
        ['a list', '[]'],
      ] as const
    ).map(([what, body]) => ({
      name: `a body with ${what} is refused`,
      section: 'Errors (400, quickstart request)',
      setup: empty,
      steps: [{ request: { ...request, body }, response: errorResponse(400) }],
    })),
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json'].map((type) => ({
      name: `a message with Content-Type ${type} is refused`,
      section: 'Errors (400, quickstart request)',
      setup: empty,
      steps: [
        { request: { ...request, headers: { ...authorized, 'Content-Type': type } }, response: errorResponse(400) },
      ],
    })),
  ],
}
