import { createPetstoreHandler } from 'petstore-react/server'

export const handler = createPetstoreHandler({
  baseUrl: process.env['PETSTORE_URL'] ?? '',
  quickstartBaseUrl: process.env['PETSTORE_QUICKSTART_URL'] ?? '',
  apiKey: () => process.env['PETSTORE_API_KEY'] ?? '',
  authorize: ({ headers }) => (headers.get('Cookie') === 'session=ann' ? 'ann' : 401),
  cache: { listCategories: { maxAge: 60_000 } },
  allowedOrigins: ['https://partner.test'],
})

/** The last argument, after `--port`. */
export const port = Number(process.argv.at(-1))
