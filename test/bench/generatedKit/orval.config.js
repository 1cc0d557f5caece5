/** SWR over `fetch`. zod validates responses, and error statuses throw, as SWR expects. */
export default {
  petstore: {
    input: 'openapi.json',
    output: {
      target: 'node_modules/.kit/petstore.ts',
      schemas: { path: 'node_modules/.kit/schemas', type: 'zod' },
      client: 'swr',
      httpClient: 'fetch',
      baseUrl: '/v1',
      override: { fetch: { runtimeValidation: true, forceSuccessResponse: true } },
    },
  },
}
