import { createPetstoreHandler } from 'petstore-react/server'

const { PETSTORE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = process.env

/** Serves the pages, and loads data on the server, with the API key of the server. */
export const petstore = createPetstoreHandler({ baseUrl, apiKey })
