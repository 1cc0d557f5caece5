import OpenAI from 'openai'
import type { Contender } from '../Contender.ts'

export const openai: Contender = {
  name: 'openai SDK',
  settings: '`maxRetries: 10`',
  start:
    () =>
    ({ baseUrl, apiKey, fetch }) => {
      const client = new OpenAI({ baseURL: baseUrl, apiKey, maxRetries: 10, logLevel: 'off', fetch })
      return {
        get: (id) => client.get(`/pets/${id}`),
        post: (name) => client.post('/categories', { body: { name } }),
      }
    },
}
