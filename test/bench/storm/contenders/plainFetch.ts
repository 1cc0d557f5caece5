import { type Contender, sendOnce } from '../Contender.ts'

export const plainFetch: Contender = {
  name: 'fetch',
  settings: 'no retries',
  start: () => (page) => ({
    get: (id) => sendOnce(page, `/pets/${id}`),
    post: (name) => sendOnce(page, '/categories', { name }),
  }),
}
