import axios from 'axios'
import retryRequests, { exponentialDelay, isNetworkOrIdempotentRequestError } from 'axios-retry'
import type { Contender } from '../Contender.ts'

export const axiosRetry: Contender = {
  name: 'axios + axios-retry',
  settings: '`retries: 10, retryDelay: exponentialDelay` (heeds Retry-After), `retryCondition`: its default, or 429',
  start:
    () =>
    ({ baseUrl, apiKey, fetch }) => {
      const client = axios.create({
        baseURL: baseUrl,
        adapter: 'fetch',
        env: { fetch },
        headers: { Authorization: `Bearer ${apiKey}` },
        // Otherwise an invalid JSON body counts as a success.
        responseType: 'json',
        transitional: { silentJSONParsing: false },
      })
      retryRequests(client, {
        retries: 10,
        retryDelay: exponentialDelay,
        retryCondition: (error) => isNetworkOrIdempotentRequestError(error) || error.response?.status === 429,
      })
      return {
        get: async (id) => (await client.get<unknown>(`/pets/${id}`)).data,
        post: async (name) => (await client.post<unknown>('/categories', { name })).data,
      }
    },
}
